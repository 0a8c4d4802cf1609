import type { OutputOverlay } from './overlays';
import type { KindFacts, NamedOutputFacts, ServiceFacts } from '../../src/catalog';

/**
 * Merges the outputs by name into the facts of a service. Those of earlier overlays are replaced.
 * @throws when an output has no sentence, an unknown key, a value although the operator exports it, or none although it does not
 */
export function withOutputs(facts: ServiceFacts, overlays: readonly OutputOverlay[]): ServiceFacts {
  const kinds = Object.entries(facts.kinds).map(([name, kind]): [string, KindFacts] => {
    const { outputs: _, secretOutputs: __, versions, ...own } = kind;
    const id = `${facts.group}/${name}`;
    const { outputs, secretOutputs } = overlays.find((entry) => entry.kind === id) ?? {};
    const exported = Object.values(versions).map((version) => version.exports ?? {});
    refuse(id, outputs, exported.flatMap(({ configMaps }) => Object.keys(configMaps ?? {})));
    refuse(id, secretOutputs, exported.flatMap(({ secrets }) => secrets ?? []));
    return [name, { ...own, ...(outputs ? { outputs } : {}), ...(secretOutputs ? { secretOutputs } : {}), versions }];
  });
  return { ...facts, kinds: Object.fromEntries(kinds) };
}

function refuse(kind: string, outputs: Readonly<Record<string, NamedOutputFacts>> | undefined, own: readonly string[]): void {
  for (const [name, output] of Object.entries(outputs ?? {})) {
    const at = `overlays/outputs.yaml: ${kind}: ${name}`;
    const unknown = Object.keys(output).find((key) => !['value', 'text'].includes(key));
    if (unknown !== undefined) throw new Error(`${at} has ${unknown}, which nothing reads`);
    if (typeof output.text !== 'string' || !output.text.endsWith('.')) throw new Error(`${at}: text is no sentence`);
    if (output.value !== undefined && own.includes(name)) throw new Error(`${at}: the operator exports this value, so it needs none here`);
    if (output.value === undefined && !own.includes(name)) throw new Error(`${at}: the operator exports no such value, so it needs one here`);
    if (output.value !== undefined && !output.value.includes('${')) throw new Error(`${at}: value has no \${…} in it`);
  }
}
