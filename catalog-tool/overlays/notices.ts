import type { KeptOfKind, Overlays } from './overlays';
import { secretsWithoutSource } from './secret-sources';
import type { ServiceCatalog } from '../facts/service';

const SECRETS = 'overlays/secret-sources.yaml';

/** What somebody should look at: hand-kept facts that a release made superfluous, and new behaviour that nobody has described yet. */
export function notices(services: readonly ServiceCatalog[], overlays: Overlays, inSource: ReadonlySet<string>): string[] {
  const gone = (file: string, entries: readonly KeptOfKind[]) => entries
    .filter(({ kind }) => !inSource.has(kind))
    .map(({ kind }) => `overlays/${file}: the source has no ${kind}; the entry can go.`);
  const superfluous = [
    ...gone('left-out.yaml', overlays.leftOut),
    ...gone('body-changes.yaml', overlays.bodyChanges),
    ...gone('secret-sources.yaml', overlays.secretSources),
  ];
  const undescribed = services.flatMap(({ facts }) => Object.entries(facts.kinds).flatMap(([name, kind]) => {
    const key = `${facts.group}/${name}`;
    const secrets = secretsWithoutSource(kind.versions, overlays.secretSources.find((entry) => entry.kind === key));
    const changesBody = kind.extensions?.includes('ARMResourceModifier') && !overlays.bodyChanges.some((entry) => entry.kind === key);
    return [
      ...(secrets.length > 0 ? [`${SECRETS}: nothing says where ${key} has its secrets ${secrets.join(', ')} from; they are not exported.`] : []),
      ...(changesBody ? [`overlays/body-changes.yaml: ASO changes the body of ${key} in code of its own; nothing says how.`] : []),
    ];
  }));
  return [...superfluous, ...undescribed];
}
