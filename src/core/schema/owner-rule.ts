import type { AzureResourceReference } from '../resource-reference';
import { Convert } from './conversion';
import { notAReference, referenceOf } from './references';
import { armTypeOf } from '../../azure/arm-id';
import { Catalog } from '../../catalog/catalog';
import type { KindVersion } from '../../catalog/kind';

/** The kinds that may own resources of a kind, and the form of the owner in the spec. */
export class OwnerRule {
  private readonly ownerArmType: string | undefined;
  private readonly byNameOnly: boolean;
  /** Whether the reference contains the kind of the owner. */
  private readonly namesKind: boolean;
  private readonly ownKind: string;

  public constructor(private readonly version: KindVersion) {
    this.ownKind = version.kind.kind;
    const type = version.specType.props.owner?.type;
    const common = typeof type === 'object' && 'common' in type ? type.common : undefined;
    this.namesKind = common === 'ArbitraryOwnerReference';
    const owner = this.known;
    // The operator creates database users by logging in to their server, so the server has to be an object, whatever the CRD allows.
    this.byNameOnly = common === 'KubernetesOwnerReference' || (owner !== undefined && !version.isArm);
    this.ownerArmType = owner && Catalog.default().kind(owner.group, owner.kind)?.latest.facts.arm?.type;
  }

  /** The only kind that may own, if there is just one. */
  public get known(): { readonly group: string; readonly kind: string } | undefined {
    const { owner } = this.version.facts;
    return typeof owner === 'object' && owner !== null ? owner : undefined;
  }

  /** Database users and the like have no ARM id, so they cannot have children in Azure. */
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
      if (this.ownerArmType !== undefined && got.toLowerCase() !== this.ownerArmType.toLowerCase()) {
        return fail(`a ${this.ownKind} cannot be owned by a ${got} ('${reference.armId}')`);
      }
      run.link('owner', reference);
      return { armId: reference.armId };
    }
    if (known && (reference.group !== known.group || reference.kind !== known.kind)) {
      return fail(`a ${this.ownKind} cannot be owned by a ${reference.kind} of ${reference.group} ('${reference.name}')`);
    }
    if (!known && this.isNotInArm(reference)) {
      return fail(`a ${reference.kind} ('${reference.name}') is no resource of Azure Resource Manager, so it cannot own a ${this.ownKind}`);
    }
    run.link('owner', reference);
    return this.namesKind ? { group: reference.group, kind: reference.kind, name: reference.name } : { name: reference.name };
  };
}
