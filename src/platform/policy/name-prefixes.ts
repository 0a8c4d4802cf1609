import { IConstruct } from 'constructs';
import type { TeamPolicy } from './team-policy';

interface Guarded {
  readonly construct: IConstruct;
  readonly policy: TeamPolicy;
}

const ofRoots = new WeakMap<IConstruct, Guarded[]>();

/**
 * Finds, at synth, two teams of an app whose resources in a shared service could be confused: a name with the prefix `fin-ledger-` also
 * has the prefix `fin-`.
 */
export function assertApart(construct: IConstruct, policy: TeamPolicy): void {
  const { root } = construct.node;
  const guarded = ofRoots.get(root) ?? [];
  ofRoots.set(root, guarded);
  guarded.push({ construct, policy });
  construct.node.addValidation({ validate: () => guarded.flatMap((other) => clashes(policy, other)) });
}

function clashes(policy: TeamPolicy, { construct, policy: other }: Guarded): string[] {
  const [team, stranger] = [policy.team, other.team];
  const [name, strangersName] = [team.team.name, stranger.team.name];
  if (name === strangersName || team.environment.subscriptionId !== stranger.environment.subscriptionId) return [];
  const byPrefix = policy.scopes.filter(({ entries, byHostName }) => entries && !byHostName);
  const shared = byPrefix.find(({ id, namePrefix, otherPrefixes }) => other.scopes.some((scope) => (
    scope.entries && scope.id === id && scope.namePrefix.startsWith(namePrefix) && !otherPrefixes.includes(scope.namePrefix))));
  if (!shared) return [];
  return [
    `[self-service-name-prefix] sharedNamePrefix: what team '${strangersName}' (${construct.node.path}) calls its own in ${shared.displayId} begins with `
    + `'${shared.namePrefix}' too, so team '${name}' could take it over. Give its SelfServicePolicy the other's prefix in otherNamePrefixes, or one of `
    + 'the two another sharedNamePrefix.',
  ];
}
