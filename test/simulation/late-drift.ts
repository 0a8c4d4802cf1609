import type { AzureModel } from './azure-model';
import { ID, objectName } from './facts';
import { AZURE_TYPES, FEDERATIONS, NAMESPACES, passwordOf, SECRETS, SERVERS } from './kinds';
import type { KubeModel } from './kube-model';
import type { Random } from './random';
import { isInSync } from './settled';
import type { Traits } from './traits';
import { policyOf, type Stored } from './truth/policy';

const MINUTE = 60_000;
/** The spread of looks, and how long what was seen there may be used. */
const LONGEST_LOOK = 1.25;
const LAG = 5 * MINUTE;
/** A few tries, waits for one's turn, and operations. */
const TO_PUT_RIGHT = 6 * MINUTE;

/** Of a password that no object had before. */
const LATE = 1_000_000;

type Body = Readonly<Record<string, unknown>>;

interface Change {
  readonly path: string;
  readonly object: Stored;
  readonly what: string;
  /** Of a body: what was changed. */
  readonly part: (body: Body) => unknown;
  readonly change: (body: Body) => Body;
  /** Rows do not show it, or not reliably. */
  readonly isHidden: boolean;
}

export interface LateDriftOptions {
  readonly kube: KubeModel;
  readonly azure: AzureModel;
  readonly random: Random;
  readonly traits: Traits;
  readonly syncPeriod: number;
  readonly isStubborn: (path: string) => boolean;
  /** Rows of the resource were wrong at some time. */
  readonly wasMisshown: (path: string) => boolean;
  readonly log: (line: string) => void;
}

/** Drift in a quiet Azure is detected: by a row that shows it, else when the resource itself is read again. */
export class LateDrift {
  private readonly changes: { readonly change: Change; readonly before: string; readonly after: string }[] = [];

  public constructor(private readonly options: LateDriftOptions) {}

  /** Changes some resources; answers after how many milliseconds that must have been found. */
  public begin(): number {
    const { azure, kube, random, log } = this.options;
    for (const object of AZURE_TYPES.flatMap((type) => kube.all(type))) {
      const change = this.changeOf(object);
      if (!change || !random.chance(0.5)) {
        this.edit(object);
        continue;
      }
      const before = azure.find(change.path)!.body;
      if (!azure.meddle(change.path, change.change)) continue;
      log(`somebody changes ${change.what} of ${change.path}`);
      this.changes.push({ change, before: textOf(change.part(before)), after: textOf(change.part(azure.find(change.path)!.body)) });
    }
    const { syncPeriod, traits } = this.options;
    const longest = this.changes.some(({ change }) => change.isHidden) ? traits.fullReadPeriod : 0;
    return longest + LONGEST_LOOK * syncPeriod + LAG + TO_PUT_RIGHT;
  }

  /** A user edits objects in the cluster. The objects' conditions show whether the edit has reached Azure. */
  private edit({ kind, metadata: { namespace, name, annotations }, spec }: Stored): void {
    const { kube, random, log, isStubborn } = this.options;
    if (!random.chance(0.6) || isStubborn(annotations?.[ID] ?? '')) return;
    const type = AZURE_TYPES.find((other) => other.kind === kind)!;
    const password = `${namespace}password`;
    if (kind === SERVERS.kind && kube.get(SECRETS, namespace, password)) {
      log(`user changes the password of ${name}`);
      const data = { password: Buffer.from(passwordOf(namespace!, LATE)).toString('base64') };
      kube.edit(SECRETS, namespace, password, (secret) => ({ ...secret, data }));
    } else if (spec?.tags) {
      log(`user edits ${name}`);
      kube.edit(type, namespace, name, (object) => ({ ...object, spec: { ...object.spec, tags: { step: 'late edit' } } }));
    }
  }

  /** Drift that was not detected. */
  public problems(): string[] {
    return this.changes.flatMap(({ change, before, after }) => {
      const { path, object, what } = change;
      const resource = this.options.azure.find(path);
      const now = resource && textOf(change.part(resource.body));
      if (this.isOnlyWatched(object)) return now === after ? [] : [`${objectName(object)}: ${what} was put right under skip`];
      return now === before ? [] : [`${objectName(object)}: somebody has changed ${what} in Azure, and nobody has found it`];
    });
  }

  private isOnlyWatched(object: Stored): boolean {
    return policyOf(object, this.options.kube.get(NAMESPACES, undefined, object.metadata.namespace!)) === 'skip';
  }

  private changeOf(object: Stored): Change | undefined {
    const { azure, random, traits, isStubborn, wasMisshown } = this.options;
    const path = object.metadata.annotations?.[ID];
    if (!path || !isInSync(object) || !azure.find(path) || isStubborn(path)) return undefined;
    const isBatch = traits.drift === 'batch';
    const canHide = !isBatch || traits.fullReadPeriod < 24 * 60 * MINUTE;
    const isHidden = isBatch && wasMisshown(path);
    if (isHidden && !canHide) return undefined;
    if (object.kind === SERVERS.kind && canHide && random.chance(0.5)) {
      return { path, object, what: 'the storage', ...member('storage', { storageSizeGB: 64 }), isHidden: isBatch };
    }
    if (object.kind === FEDERATIONS.kind) return { path, object, what: 'the subject', ...member('subject', 'somebody else'), isHidden };
    if (!object.spec?.tags) return undefined;
    return { path, object, what: 'the tags', part: ({ tags }) => tags, change: (body) => ({ ...body, tags: { step: 'late' } }), isHidden };
  }
}

/** A member of the properties. */
function member(name: string, value: unknown): Pick<Change, 'part' | 'change'> {
  return {
    part: ({ properties }) => (properties as Body)[name],
    change: (body) => ({ ...body, properties: { ...(body.properties as Body), [name]: value } }),
  };
}

const textOf = (value: unknown): string => JSON.stringify(value ?? null);
