import { UUID } from '../../azure/uuid';

/** @throws when the text is no UUID in Azure's spelling */
export function assertUuid(what: string, text: string): void {
  if (typeof text === 'string' && UUID.test(text)) return;
  throw new Error(`The ${what} '${text}' is no UUID. Give it as Azure shows it: xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx.`);
}
