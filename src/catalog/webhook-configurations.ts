import type { CustomResourceConversion } from './crd-types';
import type { Kind, KindVersion } from './kind';

/** Service of the webhooks: port 443, forwarded to port 9443 of the pods. */
export const WEBHOOK_SERVICE = 'azureserviceoperator-webhook-service';
/** Secret (`kubernetes.io/tls`) with the serving certificate of the webhooks. */
export const WEBHOOK_SECRET = 'webhook-server-cert';
/** cert-manager's Certificate of that Secret, if cert-manager issues it. */
export const WEBHOOK_CERTIFICATE = 'azureserviceoperator-serving-cert';
/** The annotation by which cert-manager injects `caBundle`. */
export const INJECT_CA_ANNOTATION = 'cert-manager.io/inject-ca-from';
/** The URL path for the conversion of all kinds. */
export const CONVERSION_PATH = '/convert';

export interface WebhookOptions {
  /** Namespace of the service, i.e. of the controller. */
  readonly namespace: string;
  /** Name of the service; default {@link WEBHOOK_SERVICE}. */
  readonly service?: string;
  /** The certificate authority, PEM in base64; default: none, the controller itself or cert-manager injects it. */
  readonly caBundle?: string;
  /** Whether cert-manager injects the authority of the Certificate {@link WEBHOOK_CERTIFICATE}; default false. */
  readonly certManager?: boolean;
  /** Versions of a kind that its CRD serves; default: all of the catalog. */
  readonly versions?: (kind: Kind) => readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
}

/** The used part of a webhook of `admissionregistration.k8s.io/v1`. */
export interface Webhook {
  readonly name: string;
  readonly admissionReviewVersions: readonly string[];
  readonly clientConfig: {
    readonly service: { readonly name: string; readonly namespace: string; readonly path: string; readonly port: number };
    readonly caBundle?: string;
  };
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly matchPolicy: 'Exact' | 'Equivalent';
  readonly sideEffects: 'None';
  readonly rules: readonly {
    readonly apiGroups: readonly string[];
    readonly apiVersions: readonly string[];
    readonly operations: readonly string[];
    readonly resources: readonly string[];
  }[];
}

export interface WebhookConfiguration {
  readonly apiVersion: 'admissionregistration.k8s.io/v1';
  readonly kind: 'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration';
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly webhooks: readonly Webhook[];
}

const PURPOSES = {
  mutate: { kind: 'MutatingWebhookConfiguration', suffix: 'mwh', prefix: 'default' },
  validate: { kind: 'ValidatingWebhookConfiguration', suffix: 'vwh', prefix: 'validate' },
} as const;

/** The type of a webhook. */
export type WebhookPurpose = keyof typeof PURPOSES;

/** The URL path of a webhook, e.g. `/mutate-network-azure-com-v1api20180501-dnszone` */
export function webhookPath(purpose: WebhookPurpose, { kind, name }: KindVersion): string {
  return `/${purpose}-${kind.group.replaceAll('.', '-')}-${name}-${kind.kind.toLowerCase()}`;
}

/**
 * The configurations that send requests for the kinds to the controller's webhooks: a mutating and a validating one for each API group,
 * with an entry for each served version, because a request is checked in its own version.
 *
 * See https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/
 */
export function webhookConfigurations(kinds: readonly Kind[], options: WebhookOptions): WebhookConfiguration[] {
  const services = [...new Set(kinds.map(({ service }) => service))].sort();
  return services.flatMap((service) => {
    const versions = kinds.filter((kind) => kind.service === service).flatMap((kind) => servedVersions(kind, options));
    return (['mutate', 'validate'] as const).map((purpose) => configuration(purpose, service, versions, options));
  });
}

/** The `conversion` of a CRD whose versions the controller's webhook converts. */
export function webhookConversion({ namespace, service = WEBHOOK_SERVICE, caBundle }: WebhookOptions): CustomResourceConversion {
  return {
    strategy: 'Webhook',
    webhook: {
      conversionReviewVersions: ['v1'],
      clientConfig: {
        service: { namespace, name: service, path: CONVERSION_PATH, port: 443 },
        ...(caBundle !== undefined && { caBundle }),
      },
    },
  };
}

/** The annotations for the injection of the authority by cert-manager; empty unless `certManager` is set. */
export function caInjection({ namespace, certManager }: WebhookOptions): Readonly<Record<string, string>> {
  return certManager ? { [INJECT_CA_ANNOTATION]: `${namespace}/${WEBHOOK_CERTIFICATE}` } : {};
}

function configuration(
  purpose: WebhookPurpose,
  service: string,
  versions: readonly KindVersion[],
  options: WebhookOptions,
): WebhookConfiguration {
  const { kind, suffix } = PURPOSES[purpose];
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: {
      name: `azureserviceoperator-${service}-${suffix}`,
      ...(options.labels && { labels: options.labels }),
      ...(options.certManager && { annotations: caInjection(options) }),
    },
    webhooks: versions.map((version) => webhook(purpose, version, options)),
  };
}

function webhook(
  purpose: WebhookPurpose,
  version: KindVersion,
  { namespace, service = WEBHOOK_SERVICE, caBundle }: WebhookOptions,
): Webhook {
  const {
    group,
    facts: { plural },
  } = version.kind;
  return {
    name: `${PURPOSES[purpose].prefix}.${version.name}.${plural}.${group}`,
    admissionReviewVersions: ['v1'],
    clientConfig: {
      service: { name: service, namespace, path: webhookPath(purpose, version), port: 443 },
      ...(caBundle !== undefined && { caBundle }),
    },
    failurePolicy: 'Fail',
    matchPolicy: 'Exact',
    sideEffects: 'None',
    rules: [{ apiGroups: [group], apiVersions: [version.name], operations: ['CREATE', 'UPDATE'], resources: [plural] }],
  };
}

function servedVersions(kind: Kind, { versions }: WebhookOptions): KindVersion[] {
  const names = versions?.(kind) ?? kind.versionNames;
  return names.map((name) => {
    const version = kind.version(name);
    if (!version) {
      throw new Error(
        `webhooks of ${kind.group}/${kind.kind}: there is no version ${name}; the catalog has ${kind.versionNames.join(', ')}`,
      );
    }
    return version;
  });
}
