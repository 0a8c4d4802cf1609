import { CredentialSource } from './credential-source';
import { NAMESPACE_SECRET, SETTINGS_SECRET, sourcesIn } from './credential-sources';
import { CredentialLevel, CredentialMode } from './facts';
import { CREDENTIAL_FROM } from '../../../azure/annotations';
import { elementAt } from '../../../util/elements';
import { member, text } from '../../../util/records';
import type { AzureObject, CredentialSet, SetObject } from '../../rules/set-object';

/** A Secret with a credential: the merged facts of all objects that write it. */
export interface Credential extends Omit<CredentialSource, 'object' | 'merges'> {
  readonly level: CredentialLevel;
  readonly sources: readonly CredentialSource[];
}

/** The credential that applies to an object, and the reason. */
export interface Selection {
  readonly level: CredentialLevel;
  readonly why: string;
  /** `namespace/name` of the Secret that the object uses, whether it is known or not. */
  readonly secret?: string | undefined;
  readonly credential?: Credential | undefined;
  readonly problems: readonly string[];
}

/** Selects credentials in the order in which the controller does. */
export class CredentialSelection {
  public readonly credentials: ReadonlyMap<string, Credential>;
  /** The controller's own credential, if the set has one. */
  public readonly global: Credential | undefined;
  /** Namespaces of controllers. */
  public readonly controllerNamespaces: readonly string[];
  /** `strict` or `relaxed`, if settings of the set contain it. */
  public readonly workloadMode: string | undefined;

  public constructor(set: CredentialSet, declared: readonly CredentialSource[] = []) {
    const names = new Set<string>(declared.map(({ namespace, name }) => `${namespace}/${name}`));
    for (const object of set.azure) {
      const name = annotated(object);
      if (name) names.add(`${object.namespace ?? ''}/${name}`);
    }
    const bySecret = new Map<string, CredentialSource[]>();
    for (const source of [...sourcesIn(set, names), ...declared]) {
      const key = `${source.namespace}/${source.name}`;
      bySecret.set(key, [...(bySecret.get(key) ?? []), source]);
    }
    this.credentials = new Map([...bySecret].map(([key, sources]) => [key, merged(sources)]));
    const settings = [...this.credentials.values()].filter(({ level }) => level === CredentialLevel.GLOBAL);
    this.controllerNamespaces = settings.map(({ namespace }) => namespace);
    this.workloadMode = settings.find(({ workloadMode }) => workloadMode !== undefined)?.workloadMode;
    // Settings without a subscription are no credential.
    const isOwn = ({ subscriptionId, missing, mode }: Credential) =>
      subscriptionId !== undefined || missing.length === 0 || mode === CredentialMode.UNKNOWN;
    this.global = settings.find(isOwn) ?? settings.map((one) => elsewhere(one, set)).find((one) => one !== undefined);
  }

  public of(object: AzureObject): Selection {
    const named = annotated(object);
    const namespace = object.namespace ?? '';
    if (named !== undefined) return this.ofResource(named, namespace);
    const secret = `${namespace}/${NAMESPACE_SECRET}`;
    const credential = this.credentials.get(secret);
    if (credential) {
      const why = `the Secret ${NAMESPACE_SECRET} of its namespace`;
      return { level: CredentialLevel.NAMESPACE, why, secret, credential, problems: problemsOf(credential) };
    }
    const { global } = this;
    if (global) {
      const why = `no Secret ${NAMESPACE_SECRET} of its namespace is here, so the controller's own applies`;
      return {
        level: CredentialLevel.GLOBAL,
        why,
        secret: `${global.namespace}/${global.name}`,
        credential: global,
        problems: problemsOf(global),
      };
    }
    const problem = `no credential is here: neither the Secret ${secret} nor ${SETTINGS_SECRET}. Add an AsoCredential, or declare who writes it: new ExternalAsoCredential(…)`;
    return { level: CredentialLevel.NONE, why: 'none that is known here', problems: [problem] };
  }

  private ofResource(name: string, namespace: string): Selection {
    const why = `its annotation ${CREDENTIAL_FROM}`;
    const level = CredentialLevel.RESOURCE;
    if (name === '') {
      return {
        level,
        why,
        problems: [
          `the annotation ${CREDENTIAL_FROM} is empty: the controller looks for a Secret without a name. Give one, or remove the annotation`,
        ],
      };
    }
    if (name.includes('/')) {
      return {
        level,
        why,
        problems: [
          `the annotation ${CREDENTIAL_FROM} contains '/': the Secret has to be in the object's own namespace. Give the bare name`,
        ],
      };
    }
    const secret = `${namespace}/${name}`;
    const credential = this.credentials.get(secret);
    if (credential) return { level, why, secret, credential, problems: problemsOf(credential) };
    // No fallback to another scope: the annotation decides.
    return { level, why, secret, problems: [`the Secret ${secret} is not here, and no other credential steps in. Add it, or declare who writes it: new ExternalAsoCredential(…)`] };
  }
}

function annotated({ annotations }: SetObject): string | undefined {
  return Object.hasOwn(annotations, CREDENTIAL_FROM) ? annotations[CREDENTIAL_FROM] : undefined;
}

function merged(sources: readonly CredentialSource[]): Credential {
  const first = sources.find(({ merges }) => !merges) ?? elementAt(sources, 0);
  const one = <K extends keyof CredentialSource>(key: K): CredentialSource[K] | undefined =>
    sources.find((source) => source[key] !== undefined)?.[key];
  const stated = sources.filter((source) => source.stated !== undefined);
  return {
    namespace: first.namespace,
    name: first.name,
    level: levelOf(first.name),
    writtenBy: [...new Set(sources.map(({ writtenBy }) => writtenBy))].join(' and '),
    subscriptionId: one('subscriptionId'),
    tenantId: one('tenantId'),
    clientId: one('clientId'),
    // A merged key determines the mode just like a key of the original Secret.
    mode:
      sources.map(({ mode }) => mode).find((mode) => mode !== CredentialMode.WORKLOAD_IDENTITY && mode !== CredentialMode.UNKNOWN)
      ?? first.mode,
    workloadMode: one('workloadMode'),
    propagatedFrom: one('propagatedFrom'),
    identity: one('identity'),
    principalId: one('principalId'),
    stated: stated.length > 0 ? stated.flatMap(({ stated: roles }) => roles ?? []) : undefined,
    missing: first.missing.filter((key) => sources.every(({ missing }) => missing.includes(key))),
    sources,
  };
}

function levelOf(name: string): CredentialLevel {
  if (name === SETTINGS_SECRET) return CredentialLevel.GLOBAL;
  return name === NAMESPACE_SECRET ? CredentialLevel.NAMESPACE : CredentialLevel.RESOURCE;
}

/** The settings, if a Deployment reads its client id from another Secret instead of them. */
function elsewhere(settings: Credential, set: CredentialSet): Credential | undefined {
  const deployments = set.objects.filter(
    ({ group, kind, namespace }) => group === 'apps' && kind === 'Deployment' && (namespace ?? '') === settings.namespace,
  );
  for (const { spec } of deployments) {
    const containers = member(member(member(spec, 'template'), 'spec'), 'containers');
    if (!Array.isArray(containers)) continue;
    for (const container of containers) {
      const environment = member(container, 'env');
      const variable = Array.isArray(environment)
        ? (environment.find((entry) => text(entry, 'name') === 'AZURE_CLIENT_ID') as unknown)
        : undefined;
      const name = text(member(member(variable, 'valueFrom'), 'secretKeyRef'), 'name');
      if (name !== undefined && name !== SETTINGS_SECRET) {
        return { ...settings, name, writtenBy: `whoever writes the Secret ${name}`, missing: [], mode: CredentialMode.UNKNOWN };
      }
    }
  }
  return undefined;
}

function problemsOf({ namespace, name, missing, sources }: Credential): string[] {
  const secret = `${namespace}/${name}`;
  const whole = sources.filter(({ merges }) => !merges);
  return [
    ...sources.flatMap(({ problem }) => problem ?? []),
    ...(missing.length > 0 ? [`the Secret ${secret} has no value for ${missing.join(', ')}; the controller refuses it, and no other credential steps in. Add what is missing`] : []),
    ...(whole.length > 1 ? [`the Secret ${secret} is written by ${whole.map(({ writtenBy }) => writtenBy).join(' and by ')}; which of them wins is left to chance. Remove all but one`] : []),
  ];
}
