import { IConstruct } from 'constructs';
import { appliedRelease } from './applied-release';
import { isOfNoRelease, isUpTo, servedVersion, servedVersions, writtenVersions } from './served-version';
import { Catalog } from '../../catalog/catalog';
import type { Kind } from '../../catalog/kind';
import type { AzureKindFacts } from '../azure-resource-props';
import { KindSchema } from '../schema/kind-schema';

/** The version in which an object is written, and the reason. */
export interface ChosenVersion {
  readonly facts: AzureKindFacts;
  /** The applied release, if it determined the version. */
  readonly release?: string;
  /** Set when the object has an explicit version. */
  readonly own?: true;
  /** The reason why no version fits. */
  readonly problem?: string | undefined;
}

/**
 * The version of an object: its explicit `apiVersion`, else the newest that the applied release serves, else that of its class.
 * @throws when the kind never had the explicit version
 */
export function chosenVersion(scope: IConstruct, id: string, facts: AzureKindFacts, apiVersion: string | undefined): ChosenVersion {
  if (apiVersion !== undefined) return { facts: inVersion(facts, apiVersion, `${scope.node.path}/${id}`), own: true };
  const release = appliedRelease(scope);
  return release === undefined ? { facts } : inRelease(facts, release);
}

const inReleases = new Map<string, ChosenVersion>();

function inRelease(facts: AzureKindFacts, release: string): ChosenVersion {
  const key = `${facts.group}/${facts.kind}/${facts.version}/${release}`;
  let chosen = inReleases.get(key);
  if (!chosen) {
    const kind = Catalog.default().kind(facts.group, facts.kind);
    // A class generated from a CRD is for clusters with this CRD, whatever their release serves.
    if (kind && isOfNoRelease(kind, facts.version)) return { facts };
    const version = kind && servedVersion(kind, release);
    if (version !== undefined) chosen = { facts: { ...facts, version }, release };
    else chosen = { facts, release, problem: kind && missing(kind, release) };
    inReleases.set(key, chosen);
  }
  return chosen;
}

function missing(kind: Kind, release: string): string {
  // A later release always exists here: some release served the version of the class.
  const first = writtenVersions(kind).find((written) => !isUpTo(written.release, release))!;
  const raise = `Move the clusters to Azure Service Operator ${first.release}, or leave the resource out for those that run ${release}.`;
  const previews = servedVersions(kind, release);
  if (previews.length === 0) return `apiVersion: Azure Service Operator ${release} does not have this kind; ${first.release} is the first release that has it. ${raise}`;
  return `apiVersion: Azure Service Operator ${release} has this kind only as a preview (${previews.join(', ')}); ${first.release} is the first release that has a stable version (${first.version}). Ask for the preview with apiVersion: '${previews[0]}', or state a newer release.`;
}

/** The kind in the version of `apiVersion`. */
function inVersion({ group, kind }: AzureKindFacts, apiVersion: string, path: string): AzureKindFacts {
  const version = apiVersion.startsWith(`${group}/`) ? apiVersion.slice(group.length + 1) : apiVersion;
  const facts = { group, kind, version };
  try {
    KindSchema.of(facts);
  } catch (error) {
    throw new Error(`[${path}] ${kind} apiVersion: ${(error as Error).message}`);
  }
  return facts;
}
