import { ApiObject, App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import type {
  CredentialContext,
  CredentialTarget,
  DeliveredCredential,
  ICredentialDelivery,
  IdentityExports,
} from './credential-delivery-contract';
import type { FluxStagesOptions } from './credential-delivery-options';
import { CLIENT_ID, delivered, secretNameOf, serviceAccounts, wantsCredential } from './credential-objects';
import { CLIENT_ID_GUARD, CREDENTIAL_FROM, WORKLOAD_CLIENT_ID } from '../../azure/annotations';
import { AzureResource, CelExpression } from '../../core';
import { appliedFolder } from '../../gitops/applied-folder';
import { FluxHealth } from '../../gitops/flux-health';
import { Kustomization } from '../../gitops/kustomization';
import { listAtSynth } from '../../gitops/prop-checks';

const FLUX = 'CredentialDelivery.flux';
const VARIABLE = `\${${CLIENT_ID}}`;
/**
 * Flux replaces a missing or empty variable with an empty text, or with its default. This default is not a valid label value, so the API
 * server rejects the object.
 */
const GUARD = { [CLIENT_ID_GUARD]: `\${${CLIENT_ID}:=client-id-is-missing-}` };

/**
 * Flux applies the identity first, then the objects that need its client id, which Flux substitutes for a variable.
 *
 * The variable comes from a ConfigMap without other keys, which therefore does not exist before the client id is known. The ConfigMap is
 * required, so Flux applies nothing without it.
 */
export class FluxStages implements ICredentialDelivery {
  private readonly firstStages = new Map<Chart, Kustomization>();

  public constructor(private readonly options: FluxStagesOptions) {}

  public identityExports(target: CredentialTarget): IdentityExports {
    return {
      configMapExpressions: [{ name: exportedConfigMapName(target), key: CLIENT_ID, value: CelExpression.status('clientId').text }],
    };
  }

  public deliver(scope: Construct, context: CredentialContext): DeliveredCredential {
    const { team, identity, identityName } = context;
    const { kustomizations, source, interval = '10m', retryInterval = '30s' } = this.options;
    const first = Chart.of(identity);
    if (Chart.of(kustomizations) === first) {
      throw new Error(`[${scope.node.path}] CredentialDelivery.flux: kustomizations: is in the chart of the identity, so Flux would apply them with what they wait for. Give a chart of its own.`);
    }
    const second = new Chart(App.of(scope), `${identityName}-credential`);
    if (!this.options.dependsOn) second.node.addValidation({ validate: () => waitsForItself(first, context) });
    new Kustomization(kustomizations, `${identityName}-credential`, {
      metadata: { name: `${identityName}-credential`, namespace: team.environment.platformNamespace },
      interval,
      retryInterval,
      sourceRef: source,
      path: appliedFolder(second, this.options.path, FLUX),
      dependsOn: this.options.dependsOn ?? [this.firstStage(first, team.environment.platformNamespace).dependency],
      wait: true,
      postBuild: { substituteFrom: [{ name: exportedConfigMapName(context) }] },
    });
    const secret = wantsCredential(context) ? credential(second, context) : undefined;
    const accounts = serviceAccounts(second, context, { [WORKLOAD_CLIENT_ID]: VARIABLE }, GUARD);
    return delivered(context, { ...(secret ? { secret } : {}), serviceAccounts: accounts, secondStage: second });
  }

  /** The Kustomization of a first stage. Several teams may be in one chart, which is applied once. */
  private firstStage(chart: Chart, namespace: string): Kustomization {
    const { kustomizations, source, path, interval = '10m', retryInterval = '30s', timeout = '10m', health } = this.options;
    const before = this.firstStages.get(chart);
    if (before) return before;
    const name = chart.node.path.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    const made = new Kustomization(kustomizations, `${name}-first`, {
      metadata: { name, namespace },
      interval,
      retryInterval,
      timeout,
      sourceRef: source,
      path: appliedFolder(chart, path, FLUX),
      wait: true,
      ...(health && { healthCheckExprs: listAtSynth(() => FluxHealth.expressionsIn(chart, health)) }),
    });
    this.firstStages.set(chart, made);
    return made;
  }
}

function exportedConfigMapName({ identityName }: CredentialTarget): string {
  return `${identityName}-client-id`;
}

function credential(scope: Construct, context: CredentialContext): ApiObject {
  const { environment, namespace, subscriptionId } = context.team;
  return new ApiObject(scope, 'Credential', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secretNameOf(context), namespace, labels: { ...GUARD } },
    stringData: {
      AZURE_SUBSCRIPTION_ID: subscriptionId,
      AZURE_TENANT_ID: environment.tenantId,
      [CLIENT_ID]: VARIABLE,
      USE_WORKLOAD_IDENTITY_AUTH: 'true',
    },
  });
}

/** Resources that would deadlock: the first stage is ready when all of its objects are, so none of them may need the credential. */
function waitsForItself(first: Chart, { team }: CredentialContext): string[] {
  const waiting = first.node.findAll().filter((construct): construct is AzureResource => AzureResource.isAzureResource(construct))
    .filter(({ metadata }) => metadata.namespace === team.namespace && !(CREDENTIAL_FROM in annotationsOf(metadata.toJson())));
  return waiting.map(({ node }) => `CredentialDelivery.flux: '${node.path}' needs the credential of '${team.namespace}', which is delivered when all of the chart '${first.node.path}' is ready: both would wait forever. Move it to another chart, or give dependsOn.`);
}

function annotationsOf(metadata: { readonly annotations?: Record<string, string> } | undefined): Record<string, string> {
  return metadata?.annotations ?? {};
}
