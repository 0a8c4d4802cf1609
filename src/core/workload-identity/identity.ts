import { IConstruct } from 'constructs';
import { armTypeOf } from '../../azure/arm-id';
import { ConfigMapValue } from '../config-map-value';
import { assertUuid } from '../credentials/ids';
import { isResource, type ResourceInternals } from '../resource-internals';
import type { IAzureResourceRef } from '../resource-reference';
import { referenceOf } from '../schema/references';

const GROUP = 'managedidentity.azure.com';
const KIND = 'UserAssignedIdentity';
const ARM_TYPE = 'Microsoft.ManagedIdentity/userAssignedIdentities';

/** A value in the manifest: a literal, or a key of a ConfigMap. */
export type Given = string | ConfigMapValue;

/** The identity of a workload. */
export class Identity {
  /** @throws when the reference is not to an identity */
  public static of(reference: IAzureResourceRef, where: string): Identity {
    const found = referenceOf(reference);
    const fix = `Give a ${KIND}: the construct, ${KIND}.fromName(name) or ${KIND}.fromArmId(id).`;
    if (!found) throw new Error(`[${where}] identity: is no reference to a resource. ${fix}`);
    const isIdentity = found.name === undefined
      ? armTypeOf(found.armId ?? '')?.toLowerCase() === ARM_TYPE.toLowerCase()
      : found.group === GROUP && found.kind === KIND;
    if (!isIdentity) throw new Error(`[${where}] identity: is a ${found.kind ?? armTypeOf(found.armId ?? '') ?? 'well-known name'}, but pods can run as a ${KIND} only. ${fix}`);
    const { construct } = found;
    return new Identity(reference, where, isResource(construct) ? construct : undefined);
  }

  private constructor(
    public readonly reference: IAzureResourceRef,
    private readonly where: string,
    /** The identity, if it is in the app. */
    public readonly construct: ResourceInternals | undefined,
  ) {}

  /** A label that distinguishes this identity from others of the same service account. */
  public get label(): string {
    const { construct, name, armId } = this.reference.azureResourceRef;
    return construct ? pathLabel(construct) : name ?? armId!.slice(armId!.lastIndexOf('/') + 1);
  }

  /**
   * A value of the identity: the user's option, else its output.
   * @throws when the user sets both options, or there is neither
   */
  public value(name: 'clientId' | 'tenantId', literal: string | undefined, fromConfig: ConfigMapValue | undefined): Given {
    if (literal !== undefined && fromConfig !== undefined) {
      throw new Error(`[${this.where}] ${name}: is given twice. Give ${name} or ${name}FromConfig.`);
    }
    if (literal !== undefined) {
      assertUuid(`${name} of [${this.where}]`, literal);
      return literal;
    }
    if (fromConfig !== undefined) return fromConfig;
    if (this.construct) return this.construct.output(name);
    throw new Error(`[${this.where}] ${name}: is not known, for the identity is no construct of this app. Give ${name} (it is no secret), or ${name}FromConfig: ConfigMapValue.fromConfigMap(name, key).`);
  }
}

function pathLabel(construct: IConstruct): string {
  return construct.node.path.replace(/\//g, '-');
}
