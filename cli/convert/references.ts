import type { ApiObject } from 'cdk8s';
import type { Code, CodeNames } from './expression';
import type { Item } from './item';
import type { KindClass } from './kind-class';
import { Misfit } from './misfit';
import type { Exported, Store } from './neighbours';
import { settle, type Text } from './parameters/text';
import type { Texts } from './parameters/texts';
import { AzureReference } from '../../src/core/azure-reference';
import type { AzureResource } from '../../src/core/azure-resource';
import { BuiltInRole } from '../../src/core/built-in-role';
import { ConfigMapValue } from '../../src/core/config-map-value';
import type { IAzureResourceRef } from '../../src/core/resource-reference';
import { SecretMap, SecretValue } from '../../src/core/secret-value';
import { isRecord } from '../../src/util/records';

/** The objects and classes that an object can refer to. */
export interface Surroundings {
  /** The texts of the object that refers. */
  readonly texts: Texts;
  /** The object that a name refers to, unless a reference must be avoided because the two would refer to each other. */
  object(group: string, kind: string, name: string): Item | undefined;
  exported(store: Store, name: string, key: string): Exported | undefined;
  kindClass(group: string, kind: string): KindClass | undefined;
}

/** `ResourceReference` and `WellKnownResourceReference`. */
export function resourceReference(value: unknown, around: Surroundings): Code {
  const fields = textFields(value, ['group', 'kind', 'name', 'armId', 'wellKnownName']);
  if (only(fields, 'wellKnownName')) {
    const { wellKnownName } = fields;
    return call('AzureReference', 'wellKnown', around.texts.of(wellKnownName), (name) => AzureReference.wellKnown(name));
  }
  if (only(fields, 'armId')) return byArmId(fields.armId, around);
  if (!only(fields, 'group', 'kind', 'name')) throw new Misfit('is neither { group, kind, name } nor { armId } nor { wellKnownName }');
  return byName(fields.group, fields.kind, fields.name, around);
}

/** `owner`. When only one kind can be the owner, the manifest has neither group nor kind. */
export function ownerReference(
  value: unknown,
  owner: { readonly group: string; readonly kind: string } | undefined,
  around: Surroundings,
): Code {
  if (!owner) return resourceReference(value, around);
  const fields = textFields(value, ['name', 'armId']);
  if (only(fields, 'name')) return byName(owner.group, owner.kind, fields.name, around);
  if (!only(fields, 'armId')) throw new Misfit('is neither { name } nor { armId }');
  const kindClass = around.kindClass(owner.group, owner.kind);
  const armId = around.texts.of(fields.armId);
  tried([armId], (id) => AzureReference.fromArmId(id));
  if (!kindClass?.model.version.facts.arm) throw new Misfit(`cannot be an ARM id: ${owner.kind} is no resource of Azure Resource Manager`);
  return {
    is: 'code',
    uses: [],
    value: (run) => AzureReference.fromArmId(armId.text(run)),
    text: (names) => `${classText(kindClass, names)}.fromArmId(${armId.print(names)})`,
  };
}

/** `ConfigMapReference`. */
export function configMapValue(value: unknown, around: Surroundings): Code {
  const { name, key } = nameAndKey(value);
  return fromStore('ConfigMap', name, key, around, {
    type: 'ConfigMapValue',
    factory: 'fromConfigMap',
    make: (of, at) => ConfigMapValue.fromConfigMap(of, at),
    getter: 'outputs',
    outputs: (kindClass) => kindClass.model.outputs,
    output: (resource, output) => resource.output(output),
  });
}

/** `SecretReference`. */
export function secretValue(value: unknown, around: Surroundings): Code {
  const { name, key } = nameAndKey(value);
  return fromStore('Secret', name, key, around, {
    type: 'SecretValue',
    factory: 'fromSecret',
    make: (of, at) => SecretValue.fromSecret(of, at),
    getter: 'secretOutputs',
    outputs: (kindClass) => kindClass.model.secretOutputs,
    output: (resource, output) => resource.secretOutput(output),
  });
}

/** `SecretMapReference`. */
export function secretMap(value: unknown, around: Surroundings): Code {
  const { name } = textFields(value, ['name']);
  if (name === undefined) throw new Misfit('is not { name }');
  const secret = around.object('', 'Secret', name);
  return {
    is: 'code',
    uses: secret ? [secret] : [],
    value: (run) => SecretMap.fromSecret(around.texts.of(name).text(run)),
    text: (names) => `${names.core('SecretMap')}.fromSecret(${nameText(secret, around.texts.of(name), names)})`,
  };
}

interface Reading {
  readonly type: string;
  /** The method of `type` that takes a name and a key. */
  readonly factory: string;
  readonly getter: string;
  make(name: string, key: string): unknown;
  outputs(kindClass: KindClass): KindClass['model']['outputs'];
  output(resource: AzureResource, output: string): unknown;
}

function fromStore(store: Store, name: string, key: string, around: Surroundings, reading: Reading): Code {
  const exported = around.exported(store, name, key);
  const outputs = exported?.item.typed ? reading.outputs(exported.item.kindClass!) : [];
  const output = outputs.find((candidate) => candidate.specName === exported?.output);
  if (exported && output) {
    return {
      is: 'code',
      uses: [exported.item],
      value: ({ built }) => reading.output(built.get(exported.item) as AzureResource, output.specName),
      text: (names) => `${names.variable(exported.item)}.${reading.getter}.${output.propName}`,
    };
  }
  const holder = around.object('', store, name);
  const [nameIn, keyIn] = [around.texts.of(name), around.texts.of(key)];
  return {
    is: 'code',
    uses: holder ? [holder] : [],
    value: (run) => reading.make(nameIn.text(run), keyIn.text(run)),
    text: (names) => `${names.core(reading.type)}.${reading.factory}(${nameText(holder, nameIn, names)}, ${keyIn.print(names)})`,
  };
}

function byName(group: string, kind: string, name: string, around: Surroundings): Code {
  const target = around.object(group, kind, name);
  if (target?.typed) {
    return {
      is: 'code',
      uses: [target],
      value: ({ built }) => built.get(target) as ApiObject & IAzureResourceRef,
      text: (names) => names.variable(target),
    };
  }
  const [groupIn, kindIn, nameIn] = [around.texts.of(group), around.texts.of(kind), around.texts.of(name)] as const;
  tried([groupIn, kindIn, nameIn], (...texts) => AzureReference.fromName(...texts));
  const kindClass = around.kindClass(group, kind);
  return {
    is: 'code',
    uses: target ? [target] : [],
    value: (run) => AzureReference.fromName(groupIn.text(run), kindIn.text(run), nameIn.text(run)),
    text: (names) => {
      const nameArgument = nameText(target, nameIn, names);
      return kindClass
        ? `${classText(kindClass, names)}.fromName(${nameArgument})`
        : `${names.core('AzureReference')}.fromName(${groupIn.print(names)}, ${kindIn.print(names)}, ${nameArgument})`;
    },
  };
}

function byArmId(armId: string, around: Surroundings): Code {
  const role = Object.entries(BuiltInRole).find(([, value]) => value instanceof BuiltInRole && value.azureResourceRef.armId === armId);
  if (role) {
    return { is: 'code', uses: [], value: () => role[1] as BuiltInRole, text: (names) => `${names.core('BuiltInRole')}.${role[0]}` };
  }
  return call('AzureReference', 'fromArmId', around.texts.of(armId), (id) => AzureReference.fromArmId(id));
}

function call(type: string, method: string, argument: Text, make: (argument: string) => unknown): Code {
  tried([argument], make);
  return {
    is: 'code',
    uses: [],
    value: (run) => make(argument.text(run)),
    text: (names) => `${names.core(type)}.${method}(${argument.print(names)})`,
  };
}

function classText(kindClass: KindClass, names: CodeNames): string {
  return names.service(kindClass.submodule, kindClass.className);
}

/** The name of an object, taken from its construct if there is one. */
export function nameText(item: Item | undefined, name: Text, names: CodeNames): string {
  if (!item) return name.print(names);
  return `${names.variable(item)}.${item.isCredential ? 'secret.name' : 'name'}`;
}

/** Tries a function of texts; texts that core rejects become a Misfit, whatever the values of their parameters. */
function tried<T>(texts: readonly Text[], make: (...values: [string, string, string]) => T): void {
  try {
    settle(texts, make as (...values: string[]) => T);
  } catch (error) {
    throw new Misfit((error as Error).message);
  }
}

function nameAndKey(value: unknown): { name: string; key: string } {
  const { name, key } = textFields(value, ['name', 'key']);
  if (name === undefined || key === undefined) throw new Misfit('is not { name, key }');
  return { name, key };
}

type TextFields = Readonly<Record<string, string | undefined>>;

/** The fields that are set, all of them strings; other fields than the allowed ones are a Misfit. */
function textFields(value: unknown, allowed: readonly string[]): TextFields {
  if (!isRecord(value)) throw new Misfit('is not an object');
  const present = Object.entries(value).filter(([, field]) => field !== null);
  for (const [name, field] of present) {
    if (!allowed.includes(name) || typeof field !== 'string') throw new Misfit(`has '${name}', which is not understood`);
  }
  return Object.fromEntries(present) as Record<string, string>;
}

/** Whether the fields are just these. */
function only<Name extends string>(fields: TextFields, ...names: readonly Name[]): fields is Readonly<Record<Name, string>> {
  return Object.keys(fields).length === names.length && names.every((name) => fields[name] !== undefined);
}
