import type { ObjectSet } from './object-set';
import { annotationPath, FoundAt, ofSet } from './rule';
import type { SetObject } from './set-object';
import {
  ASO_PREFIX,
  AZURE_NAME_FROM_CONFIG,
  BACKUP_POLLER_TOKEN,
  CHILD_RESOURCE_ID_OVERRIDE,
  CREDENTIAL_FROM,
  LATEST_GENERATION,
  OPERATOR_NAMESPACE,
  POLLER_ID,
  POLLER_TOKEN,
  RECONCILE_POLICY,
  RESOURCE_ID,
  ARGO_SYNC_OPTIONS,
} from '../../azure/annotations';
import { isAnnotationKey } from '../../azure/qualified-name';
import { mayBeInCatalog } from '../../util/api-groups';
import { suggestion } from '../../util/nearest';
import { isText, member, struct, text } from '../../util/records';
import { decodeSecretValue } from '../../util/secret-data';
import { isKubernetesName } from '../kubernetes-name';

const POLICIES = ['manage', 'skip', 'detach-on-delete'];

/** Annotations in which the operator keeps its state on an object; in files they come from a copied object. */
const RUNTIME: readonly string[] = [POLLER_TOKEN, POLLER_ID, OPERATOR_NAMESPACE, LATEST_GENERATION, BACKUP_POLLER_TOKEN];
const KNOWN: readonly string[] = [
  ...RUNTIME,
  RECONCILE_POLICY,
  CREDENTIAL_FROM,
  RESOURCE_ID,
  CHILD_RESOURCE_ID_OVERRIDE,
  AZURE_NAME_FROM_CONFIG,
];

const REQUIRED_KEYS = ['AZURE_SUBSCRIPTION_ID', 'AZURE_TENANT_ID', 'AZURE_CLIENT_ID'];
const CLOUD_KEYS = ['AZURE_RESOURCE_MANAGER_ENDPOINT', 'AZURE_RESOURCE_MANAGER_AUDIENCE', 'AZURE_AUTHORITY_HOST'];
const AUTH_MODES = ['', 'podidentity', 'workloadidentity'];

/** The annotation on an object or a Namespace is no reconcile policy (policies are in lower case). */
export const reconcilePolicy = ofSet((set) =>
  concerned(set).flatMap((object) => {
    const policy = annotation(object, RECONCILE_POLICY);
    if (policy === undefined || POLICIES.includes(policy)) return [];
    return [
      {
        object,
        field: annotationPath(RECONCILE_POLICY),
        message: `'${policy}' is not a policy`,
        fix: `${suggestion(policy, POLICIES).trim()} Use one of ${POLICIES.join(', ')}`.trim(),
      },
    ];
  }),
);

/** The annotation is empty or contains `/`. */
export const credentialFrom = ofSet((set) =>
  set.azure.flatMap((object) => {
    const name = annotation(object, CREDENTIAL_FROM);
    const field = annotationPath(CREDENTIAL_FROM);
    if (name === '') return [{ object, field, message: 'is empty', fix: 'give the name of a Secret, or remove the annotation' }];
    if (name === undefined || isKubernetesName(name)) return [];
    return [
      {
        object,
        field,
        message: `'${name}' is not the name of a Secret`,
        fix: 'give the name of a Secret in the namespace of the object, without the namespace',
      },
    ];
  }),
);

/** The Secret of the annotation `credential-from` is not in the files. */
export const credentialMissing = ofSet((set) =>
  set.azure.flatMap((object) => {
    const name = annotation(object, CREDENTIAL_FROM);
    if (!name || name.includes('/') || set.find('', 'Secret', object.namespace, name)) return [];
    if (
      set.azure.some(
        ({ namespace, facts }) =>
          namespace === object.namespace && facts.writes.some((write) => write.store === 'Secret' && write.name === name),
      )
    ) {
      return [];
    }
    return [
      {
        object,
        field: annotationPath(CREDENTIAL_FROM),
        message: `Secret '${name}' is not in the files`,
        fix: `make sure that it is in namespace ${object.namespace ?? 'default'}`,
      },
    ];
  }),
);

/** A credential lacks keys, has only some of the three cloud settings, or an unknown `AUTH_MODE`. */
export const credentialSecret = ofSet(credentialSecrets);

/** An unknown annotation with the operator's prefix. */
export const unknownAnnotation = ofSet((set) =>
  set.azure.flatMap((object) =>
    Object.keys(object.annotations)
      .filter((key) => key.startsWith(ASO_PREFIX) && !KNOWN.includes(key) && isAnnotationKey(key))
      .map((key) => ({
        object,
        field: annotationPath(key),
        message: 'is no annotation of the operator',
        fix: suggestion(key, KNOWN).trim() || 'remove it',
      })),
  ),
);

/** An annotation with state of the operator, from a copied object. */
export const runtimeAnnotation = ofSet((set) =>
  set.azure.flatMap((object) => Object.keys(object.annotations).filter((key) => RUNTIME.includes(key)).map((key) => ({
    object, field: annotationPath(key), message: 'belongs to the object in the cluster that this one was copied from', fix: 'remove it',
  }))));

/** `Replace=true` or `Force=true` on an Azure object, or on an Application that is checked together with Azure objects. */
export const argocdReplace = ofSet((set) =>
  set.objects.flatMap((object) =>
    argoOptions(object, set).flatMap(({ field, options }) => {
      const harmful = options.find((option) => /^(Replace|Force)=true$/i.test(option));
      return harmful === undefined
        ? []
        : [{ object, field, message: `has Argo CD replace the object (${harmful})`, fix: 'remove it; ServerSideApply=true is safe' }];
    }),
  ),
);

function annotation({ annotations }: SetObject, key: string): string | undefined {
  return Object.hasOwn(annotations, key) ? annotations[key] : undefined;
}

/** Azure objects, and Namespaces, whose annotations apply to the objects in them. */
function concerned(set: ObjectSet): SetObject[] {
  return set.objects.filter(({ group, kind }) => mayBeInCatalog(group) || (group === '' && kind === 'Namespace'));
}

function argoOptions(object: SetObject, set: ObjectSet): { field: FoundAt['field']; options: string[] }[] {
  if (object.group === 'argoproj.io' && (object.kind === 'Application' || object.kind === 'ApplicationSet')) {
    // Applications without Azure objects are out of scope; the rule runs only if they are checked together with Azure objects.
    if (set.azure.length === 0) return [];
    const template = object.kind === 'Application' ? object.spec : member(member(object.spec, 'template'), 'spec');
    const path = object.kind === 'Application' ? 'spec.syncPolicy.syncOptions' : 'spec.template.spec.syncPolicy.syncOptions';
    const options = member(member(template, 'syncPolicy'), 'syncOptions');
    return Array.isArray(options)
      ? options.filter(isText).map((option, index) => ({ field: `${path}[${index}]`, options: [option.replace(/\s/g, '')] }))
      : [];
  }
  const options = mayBeInCatalog(object.group) ? annotation(object, ARGO_SYNC_OPTIONS) : undefined;
  return options === undefined
    ? []
    : [{ field: annotationPath(ARGO_SYNC_OPTIONS), options: options.split(',').map((option) => option.trim()) }];
}

function credentialSecrets(set: ObjectSet): FoundAt[] {
  const named = new Set(set.azure.map((object) => `${object.namespace ?? ''}/${annotation(object, CREDENTIAL_FROM) ?? ''}`));
  return set.objects.flatMap((object) => {
    if (object.group !== '' || object.kind !== 'Secret') return [];
    if (object.name !== 'aso-credential' && !named.has(`${object.namespace ?? ''}/${object.name}`)) return [];
    const { data, stringData } = object.manifest;
    const keys = new Set([...Object.keys(struct(data) ?? {}), ...Object.keys(struct(stringData) ?? {})]);
    const field = struct(stringData) ? 'stringData' : 'data';
    const missing = REQUIRED_KEYS.filter((key) => !keys.has(key)).map((key) => ({
      object,
      field,
      message: `the credential has no ${key}`,
      fix: `add ${key}`,
    }));
    const cloud = CLOUD_KEYS.filter((key) => keys.has(key));
    const partial =
      cloud.length > 0 && cloud.length < CLOUD_KEYS.length
        ? [
          {
            object,
            field,
            message: `has ${cloud.join(' and ')}, but not ${CLOUD_KEYS.filter((key) => !keys.has(key)).join(' and ')}`,
            fix: 'give all three, or none',
          },
        ]
        : [];
    const mode = text(stringData, 'AUTH_MODE') ?? decoded(text(data, 'AUTH_MODE'));
    const unknown =
      mode === undefined || AUTH_MODES.includes(mode)
        ? []
        : [
          {
            object,
            field: `${field}.AUTH_MODE`,
            message: 'is not a way to log in',
            fix: 'use workloadidentity or podidentity, or remove it',
          },
        ];
    return [...missing, ...partial, ...unknown];
  });
}

function decoded(value: string | undefined): string | undefined {
  return value === undefined ? undefined : decodeSecretValue(value);
}
