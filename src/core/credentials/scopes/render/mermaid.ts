import { noteOf, pictureOf, roleTitle } from './picture';
import { mermaid } from '../../../graph/render/escape';
import type { Evaluation } from '../evaluate';
import { CredentialVerdict, IdentityReach, ResourceCredential } from '../facts';

const CLASSES: Readonly<Record<CredentialVerdict, string>> = {
  [CredentialVerdict.SUFFICIENT]: 'good',
  [CredentialVerdict.TOO_NARROW]: 'bad',
  [CredentialVerdict.UNKNOWN]: 'open',
  [CredentialVerdict.NO_CREDENTIAL]: 'bad',
  [CredentialVerdict.NOT_APPLICABLE]: 'open',
};

const DEFINITIONS = [
  '  classDef good fill:#d1fae5,stroke:#059669,color:#064e3b',
  '  classDef bad fill:#fee2e2,stroke:#dc2626,color:#7f1d1d',
  '  classDef open fill:#f8fafc,stroke:#94a3b8,color:#334155',
  '  classDef secret fill:#fef3c7,stroke:#b7791f,color:#713f12',
  '  classDef principal fill:#dbe7fe,stroke:#2563eb,color:#1e3a8a',
  '  classDef borrowable fill:#dbe7fe,stroke:#dc2626,color:#1e3a8a,stroke-width:3px',
];

/** A Mermaid flow chart: principals, their credentials, and the resources of each namespace. */
export function credentialMermaid(evaluation: Evaluation): string {
  const { identities, without } = pictureOf(evaluation);
  const text = ['flowchart LR'];
  let nodes = 0;
  let boxes = 0;
  const next = () => `n${nodes++}`;
  for (const { facts, credentials } of identities) {
    const principal = next();
    const borrowable = facts.reach === IdentityReach.ANY_NAMESPACE;
    const lines = [
      `<b>${mermaid(facts.principal)}</b>`,
      ...facts.roles.map((role) => mermaid(roleTitle(role))),
      ...(borrowable ? ['<i>any namespace can borrow it</i>'] : []),
    ];
    text.push(`  ${principal}(["${lines.join('<br/>')}"]):::${borrowable ? 'borrowable' : 'principal'}`);
    for (const { facts: credential, resources } of credentials) {
      const secret = next();
      text.push(
        `  ${secret}[("Secret<br/><b>${mermaid(credential.secret)}</b><br/>${mermaid(credential.mode)}")]:::secret`,
        `  ${principal} --> ${secret}`,
      );
      boxed(resources, secret);
    }
  }
  boxed(without, undefined);
  return [...text, ...DEFINITIONS].join('\n');

  function boxed(resources: readonly ResourceCredential[], secret: string | undefined): void {
    for (const [namespace, those] of byNamespace(resources)) {
      const box = `box${boxes++}`;
      text.push(`  subgraph ${box}["${mermaid(namespace)}"]`);
      for (const resource of those) {
        const note = noteOf(resource);
        text.push(`    ${next()}["${mermaid(resource.kind)}<br/><b>${mermaid(resource.name)}</b>${note === '' ? '' : `<br/><i>${mermaid(note)}</i>`}"]:::${CLASSES[resource.verdict]}`);
      }
      text.push('  end', `  style ${box} fill:#ffffff,stroke:#cbd5e1,color:#334155`);
      if (secret !== undefined) text.push(`  ${secret} --> ${box}`);
    }
  }
}

/** Resources by namespace, in their original order. */
export function byNamespace(resources: readonly ResourceCredential[]): [string, ResourceCredential[]][] {
  const found = new Map<string, ResourceCredential[]>();
  for (const resource of resources) {
    const namespace = resource.namespace ?? '(no namespace)';
    const those = found.get(namespace);
    if (those) those.push(resource);
    else found.set(namespace, [resource]);
  }
  return [...found];
}
