import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import type { IAzureResourceRef } from '../resource-reference';
import { CredentialReference } from './credential-reference';
import { customRolesOf, GrantedRole, grantedRolesText } from './granted-role';
import { assertUuid } from './ids';
import { identityText } from './report-annotations';
import type { CustomRole } from '../custom-role';
import { isKubernetesName } from '../kubernetes-name';
import { statedRoles } from './scopes/annotations';
import type { CredentialSource } from './scopes/credential-source';
import { CredentialMode } from './scopes/facts';

/** Props of `ExternalAsoCredential`: the known facts of a credential that something else writes. */
export interface ExternalAsoCredentialProps {
  /**
   * Name of the Secret.
   * @default aso-credential
   */
  readonly secretName?: string;
  /**
   * Namespace of the Secret.
   * @default - the chart's namespace
   */
  readonly namespace?: string;
  /**
   * The subscription, a UUID.
   * @default - not known
   */
  readonly subscriptionId?: string;
  /**
   * The Entra tenant, a UUID.
   * @default - not known
   */
  readonly tenantId?: string;
  /**
   * Client id of the principal, a UUID.
   * @default - not known
   */
  readonly clientId?: string;
  /**
   * The method by which the controller authenticates.
   * @default CredentialMode.UNKNOWN
   */
  readonly mode?: CredentialMode;
  /**
   * The identity to which the client id belongs.
   * @default - not known
   */
  readonly identity?: IAzureResourceRef;
  /**
   * Object id of the principal in Entra, a UUID.
   * @default - not known
   */
  readonly principalId?: string;
  /**
   * Roles that the principal has from outside of the app; an empty list declares that there are none.
   * @default - not known
   */
  readonly grantedRoles?: GrantedRole[];
}

/**
 * A credential whose Secret something else writes: a person, Flux, a secrets operator. The construct creates no object; it declares to
 * `CredentialScopes` and the rules that the credential exists, with its known facts.
 *
 * @see https://azure.github.io/azure-service-operator/guide/authentication/credential-scope/
 */
export class ExternalAsoCredential extends Construct {
  /** @internal */
  public static _is(construct: unknown): construct is ExternalAsoCredential {
    return typeof construct === 'object' && construct !== null && MARK in construct;
  }

  /** Name of the Secret. */
  public readonly secretName: string;

  /** For the `credential` of resources that use this one instead of the namespace's. */
  public readonly reference: CredentialReference;

  /** @internal */
  public readonly _customRoles: readonly CustomRole[];

  /** @internal */
  public readonly _source: CredentialSource;

  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props the known facts
   * @throws when an id is no UUID, or a name is no valid Kubernetes name
   */
  public constructor(scope: Construct, id: string, props: ExternalAsoCredentialProps = {}) {
    super(scope, id);
    Object.defineProperty(this, MARK, { value: true });
    const { secretName = 'aso-credential', namespace = Chart.of(this).namespace ?? '', grantedRoles } = props;
    const where = this.node.path;
    for (const [name, value] of Object.entries({ secretName, ...(namespace !== '' && { namespace }) })) {
      if (!isKubernetesName(value)) throw new Error(`[${where}] ${name}: '${value}' is no name in Kubernetes.`);
    }
    for (const [what, value] of [
      ['subscription id', props.subscriptionId],
      ['tenant id', props.tenantId],
      ['client id', props.clientId],
      ['principal id', props.principalId],
    ]) {
      if (value !== undefined) assertUuid(`${what} of [${where}]`, value);
    }
    this.secretName = secretName;
    this.reference = CredentialReference.fromSecretName(secretName);
    this._customRoles = customRolesOf(grantedRoles);
    this._source = {
      namespace,
      name: secretName,
      writtenBy: 'something else',
      subscriptionId: props.subscriptionId,
      tenantId: props.tenantId,
      clientId: props.clientId?.toLowerCase(),
      mode: props.mode ?? CredentialMode.UNKNOWN,
      identity: props.identity && identityText(props.identity, this),
      principalId: props.principalId?.toLowerCase(),
      stated: grantedRoles && statedRoles(grantedRolesText(grantedRoles, where)),
      missing: [],
      merges: false,
    };
  }
}

const MARK = Symbol.for('cdk8s-aso.ExternalAsoCredential');
