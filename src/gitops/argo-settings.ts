import { BACKUP_POLLER_TOKEN, LATEST_GENERATION, POLLER_ID, POLLER_TOKEN, PUT_RECORD, WAITING } from '../azure/annotations';
import { pointerOf } from '../util/json-pointer';

const CUSTOMIZATIONS = 'resource.customizations';
const WILDCARD = '/*';
/** The operator's notes on an object, which it writes several times for each request to Azure. */
const NOTES = [LATEST_GENERATION, POLLER_TOKEN, POLLER_ID, BACKUP_POLLER_TOKEN, PUT_RECORD, WAITING];
const IGNORED_UPDATES = ['jsonPointers:', ...NOTES.map((key) => `  - ${pointerOf(['metadata', 'annotations', key])}`), ''].join('\n');

/** The entry by which an Application has the health that Argo CD has found for its objects. */
export const APPLICATION_HEALTH = {
  [`${CUSTOMIZATIONS}.health.argoproj.io_Application`]: `local found = obj.status ~= nil and obj.status.health or {}
return { status = found.status or "Progressing", message = found.message or "" }
`,
};

/**
 * Entries of `argocd-cm`. The key of a kind cannot have a wildcard, since keys of a ConfigMap have no asterisk; whole groups are in one
 * key, whose YAML has the script once.
 * @param patterns `group/Kind` or `group/*`
 */
export function argoSettings(patterns: readonly string[], script: string): Record<string, string> {
  const groups = patterns.filter((pattern) => pattern.endsWith(WILDCARD)).sort();
  const isCovered = (pattern: string) => groups.includes(`${pattern.slice(0, pattern.indexOf('/'))}${WILDCARD}`);
  const kinds = patterns.filter((pattern) => !isCovered(pattern)).sort();
  return Object.fromEntries([
    ...(groups.length > 0 ? [[CUSTOMIZATIONS, ofGroups(groups, script)] as const] : []),
    ...kinds.flatMap((pattern) => {
      const key = pattern.replace('/', '_');
      return [[`${CUSTOMIZATIONS}.health.${key}`, script], [`${CUSTOMIZATIONS}.ignoreResourceUpdates.${key}`, IGNORED_UPDATES]] as const;
    }),
  ]);
}

function ofGroups([first, ...others]: readonly string[], script: string): string {
  return [
    `"${first}": &aso`,
    '  health.lua: |',
    ...indented(script),
    '  ignoreResourceUpdates: |',
    ...indented(IGNORED_UPDATES),
    ...others.map((group) => `"${group}": *aso`),
    '',
  ].join('\n');
}

function indented(text: string): string[] {
  return text.trimEnd().split('\n').map((line) => (line === '' ? '' : `    ${line}`));
}
