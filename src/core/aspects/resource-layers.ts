import { ApiObjectMetadata } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { declaredFor, type DeclaredSetting, type ScopeSetting } from './layers';
import { notOneOf } from './one-of';
import { ADOPT, CREDENTIAL_FROM, IGNORE_CHANGES, RECONCILE_POLICY, REMOVAL_POLICY } from '../../azure/annotations';
import { isMap } from '../../catalog/type-expression';
import { versionNameOf } from '../../object-id';
import type { AdoptionPolicy } from '../adoption-policy';
import type { AzureResourceProps } from '../azure-resource-props';
import { adoptionProblems } from '../checks/adoption';
import { emitAfter } from '../checks/chart-order';
import type { CredentialReference } from '../credentials/credential-reference';
import { ReconcilePolicy } from '../reconcile-policy';
import { guardDeletions } from '../removal/deletion-guards';
import { ignoredChanges, type IgnoredChanges } from '../removal/ignored-changes';
import { RemovalPolicy } from '../removal/removal-policy';
import { OWN, settle, type Settled } from '../removal/settle';
import type { ResourceInternals } from '../resource-internals';
import type { Conversion } from '../schema/conversion';
import { KindSchema } from '../schema/kind-schema';

const NONE: readonly string[] = [];

/** Azure's limit per resource. */
const MAX_TAGS = 50;

/**
 * The settings of one resource besides its spec: its own props and the settings of its scopes. Looked up when the resource is synthesized,
 * since a scope may get a setting after the resource was created.
 */
export class ResourceLayers {
  private resource?: ResourceInternals;

  public constructor(private readonly props: AzureResourceProps) {}

  /** The object's metadata, with annotations that are computed late. Annotations that the user wrote stay unchanged. */
  public get metadata(): ApiObjectMetadata {
    const { metadata, reconcilePolicy, adopt, credential, ignoreChanges } = this.props;
    const annotations: Record<string, unknown> = {
      [RECONCILE_POLICY]: new Late(this, policyOf),
      [CREDENTIAL_FROM]: new Late(this, credentialNameOf),
      [REMOVAL_POLICY]: new Late(this, protectionOf),
      [ADOPT]: new Late(this, adoptionOf),
      ...metadata?.annotations,
    };
    if (reconcilePolicy !== undefined) annotations[RECONCILE_POLICY] = reconcilePolicy;
    if (adopt !== undefined) annotations[ADOPT] = adopt;
    if (credential !== undefined) annotations[CREDENTIAL_FROM] = credential.secretName;
    if (ignoreChanges !== undefined) annotations[IGNORE_CHANGES] = new Late(this, ignoredOf);
    return { ...metadata, annotations: annotations as Record<string, string> };
  }

  public attach(resource: ResourceInternals): void {
    this.resource = resource;
    if (this.props.removalPolicy === RemovalPolicy.PROTECT) guardDeletions(resource);
  }

  /** The credential of the resource; undefined where its annotation names one, or the namespace's credential applies. */
  public get credential(): CredentialReference | undefined {
    return this.props.credential ?? this.credentialOfScope?.value;
  }

  /** Settings that the object has from a scope, by the name of the prop; those of the spec are in the conversion. */
  public get origins(): [prop: string, scope: IConstruct][] {
    const { removalPolicy, reconcilePolicy, adopt, metadata } = this.props;
    const { policy } = this.settled;
    const removal = removalPolicy === undefined ? declaredFor(this.resource!, 'removalPolicy')[0] : undefined;
    const own = reconcilePolicy ?? metadata?.annotations?.[RECONCILE_POLICY];
    const reconcile = own === undefined ? declaredFor(this.resource!, 'reconcilePolicy')[0] : undefined;
    const found = {
      adopt: (adopt ?? metadata?.annotations?.[ADOPT]) === undefined ? this.adoptionOfScope : undefined,
      credential: this.credentialOfScope,
      removalPolicy: settle(removal, undefined).policy === policy ? removal : undefined,
      reconcilePolicy: reconcile?.value === policy ? reconcile : undefined,
    };
    return Object.entries(found).flatMap(([prop, setting]) => (setting ? [[prop, setting.scope]] : []));
  }

  private get credentialOfScope(): ScopeSetting<CredentialReference> | undefined {
    const { credential, metadata } = this.props;
    if (credential || metadata?.annotations?.[CREDENTIAL_FROM] !== undefined) return undefined;
    return declaredFor(this.resource!, 'credential')[0];
  }

  public get isProtected(): boolean {
    return this.removal?.value === RemovalPolicy.PROTECT;
  }

  /** Adds the tags of the scopes to the spec, and a link to the credential's Secret. */
  public complete(spec: Record<string, unknown>, schema: KindSchema, run: Conversion): void {
    this.addTags(spec, schema, run);
    const secret = this.credential?.secret;
    if (!secret) return;
    run.links.push({ role: 'credential', path: 'credential', reference: { construct: secret } });
    if (secret.node.root === this.resource!.node.root) emitAfter(this.resource!, secret);
  }

  public get problems(): string[] {
    const { removalPolicy } = this.props;
    const bad = removalPolicy === undefined ? undefined : notOneOf(removalPolicy, RemovalPolicy);
    if (bad) return [`removalPolicy: ${bad}`];
    return [...this.policyProblems(), ...this.adoptionProblems(), ...this.contradictions(), ...(this.ignored?.problems ?? NONE)];
  }

  /** How the scopes want an existing resource to be treated. One that is not managed at all is not taken over, either. */
  public get adoption(): string | undefined {
    return this.adoptionOfScope?.value;
  }

  private get adoptionOfScope(): ScopeSetting<AdoptionPolicy> | undefined {
    if (this.settled.policy === ReconcilePolicy.SKIP) return undefined;
    return declaredFor(this.resource!, 'adopt')[0];
  }

  private addTags(spec: Record<string, unknown>, schema: KindSchema, run: Conversion): void {
    const declared = declaredFor(this.resource!, 'tag');
    if (declared.length === 0 || spec.tags === null) return;
    const type = schema.version.specType.props.tags?.type;
    if (type === undefined || !isMap(type)) return;
    const own = (spec.tags ?? {}) as Record<string, unknown>;
    const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
    const added: Record<string, string> = {};
    for (const { value: { key, value }, scope } of declared) {
      if (names.has(key.toLowerCase())) continue;
      names.add(key.toLowerCase());
      added[key] = value;
      run.setOrigin(`tags.${key}`, scope);
    }
    spec.tags = { ...added, ...own };
    if (names.size > MAX_TAGS) {
      run.problems.push(
        `tags: there are ${names.size} tags with those of the scopes (Tags.of); Azure takes at most ${MAX_TAGS}. Leave some out.`,
      );
    }
  }

  private policyProblems(): readonly string[] {
    const { removal } = this;
    if (!removal) return NONE;
    const { policy, contradiction } = this.settled;
    const reconcile = this.reconcile?.value;
    if (contradiction) {
      return [`removalPolicy: '${removal.value}' and the reconcile policy '${reconcile}' contradict each other${removal.depth === OWN ? '' : ', and both are said of the same scope'}. Give one of them: destroy is 'manage', retain is 'detach-on-delete'.`];
    }
    // The props lack annotations that were added later. cdk8s has no getter for them, and rendering the metadata takes long.
    const { annotations } = this.resource!.metadata as unknown as { readonly annotations?: Readonly<Record<string, unknown>> };
    const written = annotations?.[RECONCILE_POLICY];
    return typeof written !== 'string' || written === policy ? [] : [`removalPolicy: '${removal.value}' needs the annotation ${RECONCILE_POLICY} to be '${policy}', but it was set to '${written}'. Set one of them only.`];
  }

  private adoptionProblems(): readonly string[] {
    const { adopt, metadata } = this.props;
    const annotation = metadata?.annotations?.[ADOPT];
    if (adopt === undefined && annotation === undefined) return NONE;
    return adoptionProblems(adopt, annotation, this.settled.policy ?? this.reconcile?.value);
  }

  /** Annotations in the user's metadata that contradict a prop for the same setting. */
  private contradictions(): readonly string[] {
    const annotations = this.props.metadata?.annotations;
    if (!annotations) return NONE;
    const { removalPolicy, ignoreChanges } = this.props;
    const problems: string[] = [];
    if (removalPolicy !== undefined && annotations[REMOVAL_POLICY] !== undefined && annotations[REMOVAL_POLICY] !== removalPolicy) {
      problems.push(`removalPolicy: contradicts the annotation ${REMOVAL_POLICY} in metadata. Give one of them.`);
    }
    if (ignoreChanges !== undefined && annotations[IGNORE_CHANGES] !== undefined) {
      problems.push(`ignoreChanges: is given as the annotation ${IGNORE_CHANGES} in metadata as well. Give one of them.`);
    }
    return problems;
  }

  public get settled(): Settled {
    return settle(this.removal, this.reconcile);
  }

  private get removal(): DeclaredSetting<RemovalPolicy> | undefined {
    const { removalPolicy } = this.props;
    return removalPolicy === undefined ? declaredFor(this.resource!, 'removalPolicy')[0] : { value: removalPolicy, depth: OWN };
  }

  private get reconcile(): DeclaredSetting<string> | undefined {
    const own = this.props.reconcilePolicy ?? this.props.metadata?.annotations?.[RECONCILE_POLICY];
    return own === undefined ? declaredFor(this.resource!, 'reconcilePolicy')[0] : { value: own, depth: OWN };
  }

  public get ignored(): IgnoredChanges | undefined {
    const { ignoreChanges } = this.props;
    return ignoreChanges === undefined ? undefined : ignoredChanges(ignoreChanges, schemaOf(this.resource!).version);
  }
}

/** A value that is looked up each time the manifest is written. A class instead of closures, because every resource has several. */
class Late {
  public constructor(private readonly layers: ResourceLayers, private readonly read: (layers: ResourceLayers) => string | undefined) {}

  public resolve(): string | undefined {
    return this.read(this.layers);
  }
}

const policyOf = ({ settled }: ResourceLayers) => settled.policy;
const credentialNameOf = ({ credential }: ResourceLayers) => credential?.secretName;
const adoptionOf = ({ adoption }: ResourceLayers) => adoption;
const protectionOf = ({ isProtected }: ResourceLayers) => (isProtected ? RemovalPolicy.PROTECT : undefined);
const ignoredOf = ({ ignored }: ResourceLayers) => listOf(ignored?.paths ?? []);

/** A JSON list; undefined for an empty one. */
function listOf(paths: readonly string[]): string | undefined {
  return paths.length > 0 ? JSON.stringify(paths) : undefined;
}

/** The schema of the version in which the object is written. */
function schemaOf({ apiGroup: group, kind, apiVersion }: ResourceInternals): KindSchema {
  return KindSchema.of({ group, kind, version: versionNameOf({ apiVersion }) });
}
