import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type {
  CredentialContext,
  CredentialTarget,
  DeliveredCredential,
  ICredentialDelivery,
  IdentityExports,
} from './credential-delivery-contract';
import type { KyvernoMirrorOptions } from './credential-delivery-options';
import { CLIENT_ID, credentialExport, delivered, exportedSecretName, secretNameOf, wantsCredential } from './credential-objects';
import { grantRights } from './rights';
import type { Rule } from './rights';
import { WORKLOAD_CLIENT_ID } from '../../azure/annotations';

const KEYS = [CLIENT_ID, 'AZURE_TENANT_ID', 'AZURE_SUBSCRIPTION_ID', 'USE_WORKLOAD_IDENTITY_AUTH'];

/**
 * Plain Azure Service Operator: the identity exports a whole credential by CEL, and a Kyverno policy generates the team's Secret and
 * service accounts from it.
 *
 * The policy copies values (`data`) instead of the Secret (`clone`): for a clone, Kyverno labels the source, and the operator removes
 * foreign labels from its exports. The exported Secret triggers the policy, so nothing is copied before it is complete.
 */
export class KyvernoMirror implements ICredentialDelivery {
  public constructor(private readonly options: KyvernoMirrorOptions) {}

  public identityExports(target: CredentialTarget): IdentityExports {
    return { secretExpressions: [credentialExport(target)] };
  }

  public deliver(scope: Construct, context: CredentialContext): DeliveredCredential {
    const { team, identityName } = context;
    const rules = rulesOf(context);
    if (rules.length > 0) {
      new ApiObject(scope, 'CredentialMirror', {
        apiVersion: 'kyverno.io/v1',
        kind: 'ClusterPolicy',
        metadata: { name: `${team.environment.platformNamespace}-${identityName}-credential` },
        spec: { background: false, rules },
      });
      if (this.options.rights ?? true) this.grant(scope, context);
    }
    return delivered(context, { serviceAccounts: [] });
  }

  private grant(scope: Construct, context: CredentialContext): void {
    const { team, identityName } = context;
    const { kyvernoNamespace = 'kyverno', kyvernoServiceAccount = 'kyverno-background-controller' } = this.options;
    const kyverno = { name: kyvernoServiceAccount, namespace: kyvernoNamespace };
    const read: Rule = { apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: [exportedSecretName(context)] };
    // Two names, because cdk8s may name files by kind and name alone.
    grantRights(
      scope,
      'MirrorSource',
      { name: `${identityName}-credential-source`, namespace: team.environment.platformNamespace },
      [read],
      kyverno,
    );
    grantRights(
      scope,
      'MirrorTarget',
      { name: `${identityName}-credential-target`, namespace: team.namespace },
      writeRules(context),
      kyverno,
    );
  }
}

/** RBAC cannot restrict `create` by resource name; it can restrict the other verbs. */
function writeRules(context: CredentialContext): Rule[] {
  const written = {
    secrets: wantsCredential(context) ? [secretNameOf(context)] : [],
    serviceaccounts: (context.serviceAccounts ?? []).map(({ name }) => name),
  };
  return Object.entries(written).filter(([, names]) => names.length > 0).flatMap(([resource, resourceNames]) => [
    { apiGroups: [''], resources: [resource], verbs: ['create'] },
    { apiGroups: [''], resources: [resource], verbs: ['get', 'update', 'patch', 'delete'], resourceNames },
  ]);
}

function rulesOf(context: CredentialContext): object[] {
  const { team } = context;
  const common = {
    match: {
      any: [
        { resources: { kinds: ['v1/Secret'], names: [exportedSecretName(context)], namespaces: [team.environment.platformNamespace] } },
      ],
    },
    // A second check, although the operator does not export partial credentials.
    preconditions: { all: KEYS.map((key) => ({ key: `{{ request.object.data.${key} || '' }}`, operator: 'NotEquals', value: '' })) },
  };
  const generate = (kind: string, name: string, data: object) => ({
    apiVersion: 'v1',
    kind,
    name,
    namespace: team.namespace,
    synchronize: true,
    data,
  });
  const values = Object.fromEntries(KEYS.map((key) => [key, `{{ request.object.data.${key} }}`]));
  const clientId = `{{ base64_decode(request.object.data.${CLIENT_ID}) }}`;
  return [
    ...(wantsCredential(context)
      ? [{ name: 'credential', ...common, generate: generate('Secret', secretNameOf(context), { type: 'Opaque', data: values }) }]
      : []),
    ...(context.serviceAccounts ?? []).map(({ name, labels }, index) => ({
      name: `service-account-${index}`,
      ...common,
      generate: generate('ServiceAccount', name, {
        metadata: { ...(labels ? { labels } : {}), annotations: { [WORKLOAD_CLIENT_ID]: clientId } },
      }),
    })),
  ];
}
