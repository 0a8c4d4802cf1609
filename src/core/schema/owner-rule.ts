import type { AzureResourceReference } from '../resource-reference';
import { Convert } from './conversion';
import { notAReference, referenceOf } from './references';
import { armTypeOf } from '../../azure/arm-id';
import { Catalog } from '../../catalog/catalog';
import type { KindVersion } from '../../catalog/kind';

/** Who may own resources of a kind, and how the owner is written in the spec. */
export class OwnerRule {
  private readonly ownerArmType?: string;
  private readonly byNameOnly: boolean;
  /** Whether the reference says of which kind the owner is. */
  private readonly namesKind: boolean;
  private readonly ownKind: string;

  public constructor(private readonly version: KindVersion) {
    this.ownKind = version.kind.kind;
    const type = version.specType.props.owner?.type;
    const common = typeof type === 'object' && 'common' in type ? type.common : undefined;
    this.namesKind = common === 'ArbitraryOwnerReference';
    const owner = this.known;
    // Database users are made by logging in to their server, which has to be an object for that, whatever the CRD says.
    this.byNameOnly = common === 'KubernetesOwnerReference' || (owner !== undefined && !version.isArm);
    this.ownerArmType = owner && Catalog.default().kind(owner.group, owner.kind)?.latest.facts.arm?.type;
  }

  /** The one kind that may own, where there is just one. */
  public get known(): { readonly group: string; readonly kind: string } | undefined {
    const { owner } = this.version.facts;
    return typeof owner === 'object' && owner !== null ? owner : undefined;
  }

  /** Users of databases and the like have no ARM id below which anything could be. */
  private isNotInArm({ group, kind }: AzureResourceReference): boolean {
    return Catalog.default().kind(group ?? '', kind ?? '')?.latest.isArm === false;
  }

  public readonly convert: Convert = (value, run) => {
    const reference = referenceOf(value);
    if (!reference) return notAReference(value, run);
    const { known } = this;
    const fail = (what: string) => {
      run.problem(`${what}. Give ${known ? `a ${known.kind} of ${known.group}: the construct, ${known.kind}.fromName(name)${this.byNameOnly ? '' : ` or ${known.kind}.fromArmId(id)`}` : 'a construct, or AzureReference.fromArmId(id)'}.`);
      return undefined;
    };
    if (reference.wellKnownName !== undefined) return fail(`a well-known name ('${reference.wellKnownName}') cannot own a ${this.ownKind}`);
    if (reference.name === undefined) {
      const got = armTypeOf(reference.armId ?? '');
      if (got === undefined) return fail(`'${reference.armId}' is not an ARM id`);
      if (this.byNameOnly) return fail(`a ${this.ownKind} cannot be owned by ARM id`);
      if (this.ownerArmType !== undefined && got.toLowerCase() !== this.ownerArmType.toLowerCase()) return fail(`a ${this.ownKind} cannot be owned by a ${got} ('${reference.armId}')`);
      run.link('owner', reference);
      return { armId: reference.armId };
    }
    if (known && (reference.group !== known.group || reference.kind !== known.kind)) return fail(`a ${this.ownKind} cannot be owned by a ${reference.kind} of ${reference.group} ('${reference.name}')`);
    if (!known && this.isNotInArm(reference)) return fail(`a ${reference.kind} ('${reference.name}') is no resource of Azure Resource Manager, so it cannot own a ${this.ownKind}`);
    run.link('owner', reference);
    return this.namesKind ? { group: reference.group, kind: reference.kind, name: reference.name } : { name: reference.name };
  };
}
