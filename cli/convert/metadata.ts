import { exactly, literal, nullsIn, type Code, type Entry } from './expression';
import type { Item } from './item';
import { settle } from './parameters/text';
import type { Texts } from './parameters/texts';
import type { Patch } from './patch';
import { policyProps } from './policy-props';
import { nameText, type Surroundings } from './references';
import { CREDENTIAL_FROM } from '../../src/azure/annotations';
import { CredentialReference } from '../../src/core/credentials/credential-reference';
import { isEmptyObject, isRecord } from '../../src/util/records';

/** An object's metadata as props. */
export interface PlannedMetadata {
  /** The `metadata` prop; empty when it is not needed. */
  readonly entries: Entry[];
  /** Annotations that have a prop of their own. */
  readonly props: Entry[];
  readonly patches: Patch[];
}

/** @param around set for typed constructs, which have props for policy and credential */
export function plannedMetadata(item: Item, around?: Surroundings): PlannedMetadata {
  const { metadata } = item.object;
  if (!isOrdinary(metadata, item.texts)) return { entries: [], props: [], patches: [metadataPatch(metadata, item.texts)] };
  const { namespace, ...others } = metadata;
  // The charts of objects in other objects have no namespace.
  const rest = item.inside && namespace !== undefined && namespace !== null ? { namespace, ...others } : others;
  const { annotations, props } = around ? annotationProps(item, around) : { annotations: others.annotations, props: [] };
  const written = Object.entries({ ...rest, annotations }).filter(
    ([, value]) => value !== undefined && value !== null && !isEmptyObject(value),
  );
  const order = [...Object.keys(metadata)];
  written.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  const entries = written.map(([key, value]) => ({ key, value: literal(value, ['metadata', key], item.texts), at: ['metadata', key] }));
  return {
    entries: entries.length === 0 ? [] : [{ key: 'metadata', at: ['metadata'], value: { is: 'object', at: ['metadata'], entries } }],
    props,
    patches: [],
  };
}

/** Whether a construct accepts the metadata: cdk8s requires a name, and strings where Kubernetes does. */
function isOrdinary(metadata: unknown, texts: Texts): metadata is Record<string, unknown> {
  if (!isRecord(metadata) || typeof metadata.name !== 'string' || metadata.name === '') return false;
  const { namespace, labels, annotations, finalizers, ...others } = metadata;
  return (
    (namespace === undefined || namespace === null || (typeof namespace === 'string' && namespace !== ''))
    && Object.entries({ labels, annotations }).every(([name, map]) => (
      map === undefined || map === null || (isRecord(map) && Object.values(map).every((text) => typeof text === 'string'))
        // All of them are one parameter.
        || texts.fitsAt(map, ['metadata', name])
    ))
    && (finalizers === undefined
      || finalizers === null
      || (Array.isArray(finalizers) && finalizers.every((text) => typeof text === 'string')))
    && nullsIn(others, []).every((path) => path.length === 1)
  );
}

/** A JSON patch for metadata that no construct accepts. */
export function metadataPatch(metadata: unknown, texts: Texts): Patch {
  return metadata === undefined
    ? { operation: 'remove', path: '/metadata' }
    : { operation: 'replace', path: '/metadata', value: exactly(metadata, ['metadata'], texts) };
}

function annotationProps(item: Item, around: Surroundings): { annotations: unknown; props: Entry[] } {
  if (typeof item.metadata.annotations === 'string') return { annotations: item.metadata.annotations, props: [] };
  const annotations = { ...(item.metadata.annotations as Record<string, string> | undefined) };
  const props: Entry[] = [];
  const at = (name: string) => ['metadata', 'annotations', name];
  for (const { annotation, entry } of policyProps(withoutParameters(annotations, item), item.version!)) {
    delete annotations[annotation];
    props.push(entry);
  }
  const credential = credentialCode(annotations[CREDENTIAL_FROM], around);
  if (credential) {
    delete annotations[CREDENTIAL_FROM];
    props.push({ key: 'credential', value: credential, at: at(CREDENTIAL_FROM) });
  }
  return { annotations, props };
}

function withoutParameters(annotations: Record<string, string>, { texts }: Item): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).filter(([, text]) => texts.of(text).parameters.length === 0));
}

function credentialCode(name: string | undefined, around: Surroundings): Code | undefined {
  if (name === undefined) return undefined;
  const nameIn = around.texts.of(name);
  try {
    settle([nameIn], (text) => CredentialReference.fromSecretName(text!));
  } catch {
    return undefined; // the check at synth reports this with a better message
  }
  const secret = around.object('', 'Secret', name);
  return {
    is: 'code',
    uses: secret ? [secret] : [],
    value: (run) => CredentialReference.fromSecretName(nameIn.text(run)),
    text: (names) =>
      secret?.isCredential
        ? `${names.variable(secret)}.reference`
        : `${names.core('CredentialReference')}.fromSecretName(${nameText(secret, nameIn, names)})`,
  };
}
