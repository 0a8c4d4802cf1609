import { securityGroup } from './security-group';
import type { ExternalKind } from '../../engine/kinds/external';

export { DirectoryLimits } from './directory-limits';
export { securityGroup } from './security-group';

/** The kinds of the directory, by `<group>/<kind>`. */
export const DIRECTORY_KINDS: Readonly<Record<string, ExternalKind>> = { 'entra.azure.com/SecurityGroup': securityGroup };
