import { documentation } from '../../src/documentation';

/**
 * Checks of Azure that the simulator does not make, in a line for logs.
 *
 * @param rules whether bodies that break one of Azure's rules are refused
 */
export function uncheckedText(rules = true): string {
  const own = rules ? '' : 'Azure\'s own rules (--no-azure-rules), ';
  return `The Azure simulator does not check ${own}quotas, capacity and SKUs of a region, names taken by others, Azure Policy, locks, `
    + `or permissions of the caller: ${documentation('docs/sandbox.md#limitations')}`;
}
