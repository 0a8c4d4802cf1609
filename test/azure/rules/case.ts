/** A spec that a rule refuses, where, and one that it takes. */
export interface Case {
  readonly rule: string;
  readonly kind: string;
  readonly wrong: object;
  /** Path of the violation. */
  readonly field: string;
  readonly right: object;
  /** Given where Azure takes it, or may take it. */
  readonly severity?: 'warning' | 'info';
  /** Name in Azure. Default: `one`. */
  readonly name?: string;
  readonly owner?: Parent;
  /** Specs of others of the kind with the same owner. */
  readonly siblings?: readonly object[];
  /** Resources of other kinds with the same owner. */
  readonly beside?: readonly Parent[];
  /** The resource that the references of the spec name. */
  readonly refersTo?: Parent;
  /** A resource that the spec names by its name in Azure. */
  readonly known?: Parent;
}

export interface Parent {
  readonly kind: string;
  readonly name?: string;
  readonly spec: object;
  readonly owner?: Parent;
  /** Resources of other kinds with the same owner. */
  readonly beside?: readonly Parent[];
}

export type Row = readonly [rule: string, wrong: object, field: string, right: object, more?: Partial<Case>];
export const of = (kind: string, rows: readonly Row[]): Case[] =>
  rows.map(([rule, wrong, field, right, more]) => ({ rule, kind, wrong, field, right, ...more }));

export const BUS = 'servicebus.azure.com/Namespace';
export const WARNING: Partial<Case> = { severity: 'warning' };
export const bus = (name: string): Partial<Case> => ({ owner: { kind: BUS, spec: { sku: { name } } } });
export const HUBS = 'eventhub.azure.com/Namespace';
export const hubs = (name: string): Parent => ({ kind: HUBS, spec: { sku: { name } } });
export const network = (...addressPrefixes: string[]): Partial<Case> => ({
  owner: { kind: 'network.azure.com/VirtualNetwork', spec: { addressSpace: { addressPrefixes } } },
});
export const pool = (spec: object) => ({ agentPoolProfiles: [{ name: 'system', mode: 'System', count: 1, ...spec }] });
export const many = (count: number, of_: (index: number) => unknown) => Array.from({ length: count }, (_, index) => of_(index));
