import type { Credential, CredentialSelection } from './credential-selection';
import { CredentialLevel, CredentialMode, IdentityReach } from './facts';
import { text } from '../../../util/records';
import { plural } from '../../../util/words';
import type { ObjectSet } from '../../rules/object-set';
import type { AzureObject } from '../../rules/set-object';

export const WORKLOAD_ACCOUNT = 'aso-workload';
const OPERATOR_ACCOUNT = 'azureserviceoperator-default';
const OPERATOR_NAMESPACE = 'azureserviceoperator-system';
const SUBJECT = /^system:serviceaccount:([^:]+):([^:]+)$/;

/** The subjects that an identity trusts, as far as the set contains its federated credentials. */
export interface Trust {
  readonly subjects: readonly string[];
  /** Namespaces whose service account `aso-workload` the identity trusts. */
  readonly namespaces: readonly string[];
  /** Whether the identity trusts the controller's own service account. */
  readonly controller: boolean;
}

/** The trust of each identity, from its federated credentials, by `identityKey`. */
export function trustIn(
  set: ObjectSet, selection: CredentialSelection, identityKey: (object: AzureObject) => string | undefined,
): Map<string, Trust> {
  const found = new Map<string, string[]>();
  for (const object of set.azure) {
    if (object.group !== 'managedidentity.azure.com' || object.kind !== 'FederatedIdentityCredential') continue;
    const identity = identityKey(object);
    const subject = text(object.spec, 'subject');
    if (identity === undefined || subject === undefined) continue;
    found.set(identity, [...new Set([...(found.get(identity) ?? []), subject])]);
  }
  const namespaces = new Set([OPERATOR_NAMESPACE, ...selection.controllerNamespaces]);
  return new Map([...found].map(([identity, subjects]) => [identity, trustOf(subjects, namespaces)]));
}

function trustOf(subjects: readonly string[], controllers: ReadonlySet<string>): Trust {
  const accounts = subjects.flatMap((subject) => {
    const [, namespace, account] = SUBJECT.exec(subject) ?? [];
    return namespace === undefined ? [] : [{ namespace, account }];
  });
  return {
    subjects: [...subjects].sort(),
    namespaces: accounts.filter(({ account }) => account === WORKLOAD_ACCOUNT).map(({ namespace }) => namespace).sort(),
    controller: accounts.some(({ namespace, account }) =>
      account !== WORKLOAD_ACCOUNT && (account === OPERATOR_ACCOUNT || controllers.has(namespace))),
  };
}

export interface Reach {
  readonly reach: IdentityReach;
  readonly why: string;
}

/** The users or namespaces that can have the controller act as an identity, and the reason. */
export function reachOf(credentials: readonly Credential[], trust: Trust | undefined, workloadMode: string | undefined): Reach {
  const modes = new Set(credentials.map(({ mode }) => mode));
  if (modes.has(CredentialMode.MANAGED_IDENTITY)) {
    return {
      reach: IdentityReach.ANY_NAMESPACE,
      why: 'the nodes have the identity, and its client id is no secret: any namespace can name it, in strict mode too',
    };
  }
  if (modes.has(CredentialMode.IDENTITY_FILE)) {
    return { reach: IdentityReach.ANY_NAMESPACE, why: 'the controller has the file: any namespace can name its path, in strict mode too' };
  }
  if (modes.has(CredentialMode.WORKLOAD_IDENTITY)) return workloadReach(credentials, trust, workloadMode);
  if (modes.has(CredentialMode.CLIENT_SECRET) || modes.has(CredentialMode.CLIENT_CERTIFICATE)) {
    return { reach: IdentityReach.SECRET_HOLDERS, why: 'it takes the secret or the certificate' };
  }
  return { reach: IdentityReach.UNKNOWN, why: 'how the controller signs in is not known here' };
}

function workloadReach(credentials: readonly Credential[], trust: Trust | undefined, workloadMode: string | undefined): Reach {
  const strict = workloadMode === 'strict';
  const scoped = credentials.filter(({ level }) => level !== CredentialLevel.GLOBAL);
  const named = trust?.namespaces ?? [];
  if (strict) {
    if (named.length > 0) {
      return {
        reach: IdentityReach.NAMED_NAMESPACES,
        why: `the controller is strict: only ${list(named)}, whose service account ${WORKLOAD_ACCOUNT} it trusts`,
      };
    }
    if (scoped.length === 0) {
      return { reach: IdentityReach.CONTROLLER_ONLY, why: 'the controller is strict, and takes its own token for its own credential only' };
    }
    return { reach: IdentityReach.UNKNOWN, why: `the controller is strict, and no federated credential for ${WORKLOAD_ACCOUNT} is here` };
  }
  if (trust && !trust.controller && named.length > 0) {
    const only = workloadMode === undefined ? '; the controller has to be strict' : '; the controller is relaxed, and cannot sign in';
    return { reach: IdentityReach.NAMED_NAMESPACES, why: `it trusts ${WORKLOAD_ACCOUNT} of ${list(named)}, not the controller${only}` };
  }
  const mode = workloadMode === undefined ? 'relaxed mode, the default' : 'relaxed mode';
  const trusted = trust?.controller ? 'it trusts the controller' : 'to work, it has to trust the controller';
  return { reach: IdentityReach.ANY_NAMESPACE, why: `${trusted}, which signs in for any namespace that names the client id (${mode})` };
}

function list(namespaces: readonly string[]): string {
  return `${plural(namespaces.length, 'namespace')} ${namespaces.join(', ')}`;
}

/** A problem and its fix. */
export interface TrustProblem {
  readonly message: string;
  readonly fix: string;
}

/** The problem if the mode of the controller does not match the subjects that the credential's identity trusts. */
export function trustProblem(
  credential: Credential, namespace: string, trust: Trust | undefined, workloadMode: string | undefined,
): TrustProblem | undefined {
  if (!trust || credential.mode !== CredentialMode.WORKLOAD_IDENTITY || credential.level === CredentialLevel.GLOBAL) return undefined;
  const subject = `system:serviceaccount:${namespace}:${WORKLOAD_ACCOUNT}`;
  if (workloadMode === 'strict' && !trust.subjects.includes(subject)) {
    return {
      message: `the controller is strict, and no federated credential of its identity has the subject ${subject}`,
      fix: 'add one to the identity',
    };
  }
  if (workloadMode !== 'relaxed' || trust.controller) return undefined;
  return {
    message: 'the controller is relaxed, and no federated credential of its identity trusts the controller',
    fix: 'add one to the identity, or have the controller be strict',
  };
}
