// Written by `npm run generate`.
import { IConstruct } from 'constructs';
import { appliedRelease, applyRelease } from './applied-release';
import { shown } from '../schema/conversion';

/**
 * A release of Azure Service Operator: the one that the clusters run for which an app is made.
 *
 * ```ts
 * const app = new App();
 * AsoRelease.V2_11_0.applyTo(app);
 * ```
 *
 * Every resource below is then written in the newest stable API version that this release serves. A kind, a property or a value
 * that the version lacks is an error at synth, which names the first release that has it.
 */
export class AsoRelease {
  /** Azure Service Operator v2.0.0. */
  public static readonly V2_0_0 = new AsoRelease('v2.0.0');
  /** Azure Service Operator v2.1.0. */
  public static readonly V2_1_0 = new AsoRelease('v2.1.0');
  /** Azure Service Operator v2.2.0. */
  public static readonly V2_2_0 = new AsoRelease('v2.2.0');
  /** Azure Service Operator v2.3.0. */
  public static readonly V2_3_0 = new AsoRelease('v2.3.0');
  /** Azure Service Operator v2.4.0. */
  public static readonly V2_4_0 = new AsoRelease('v2.4.0');
  /** Azure Service Operator v2.5.0. */
  public static readonly V2_5_0 = new AsoRelease('v2.5.0');
  /** Azure Service Operator v2.6.0. */
  public static readonly V2_6_0 = new AsoRelease('v2.6.0');
  /** Azure Service Operator v2.7.0. */
  public static readonly V2_7_0 = new AsoRelease('v2.7.0');
  /** Azure Service Operator v2.8.0. */
  public static readonly V2_8_0 = new AsoRelease('v2.8.0');
  /** Azure Service Operator v2.9.0. */
  public static readonly V2_9_0 = new AsoRelease('v2.9.0');
  /** Azure Service Operator v2.10.0. */
  public static readonly V2_10_0 = new AsoRelease('v2.10.0');
  /** Azure Service Operator v2.11.0. */
  public static readonly V2_11_0 = new AsoRelease('v2.11.0');
  /** Azure Service Operator v2.12.0. */
  public static readonly V2_12_0 = new AsoRelease('v2.12.0');
  /** Azure Service Operator v2.13.0. */
  public static readonly V2_13_0 = new AsoRelease('v2.13.0');
  /** Azure Service Operator v2.14.0. */
  public static readonly V2_14_0 = new AsoRelease('v2.14.0');
  /** Azure Service Operator v2.15.0. */
  public static readonly V2_15_0 = new AsoRelease('v2.15.0');
  /** Azure Service Operator v2.16.0. */
  public static readonly V2_16_0 = new AsoRelease('v2.16.0');
  /** Azure Service Operator v2.17.0. */
  public static readonly V2_17_0 = new AsoRelease('v2.17.0');
  /** Azure Service Operator v2.18.0. */
  public static readonly V2_18_0 = new AsoRelease('v2.18.0');
  /** Azure Service Operator v2.19.0. */
  public static readonly V2_19_0 = new AsoRelease('v2.19.0');
  /** Azure Service Operator v2.20.0. */
  public static readonly V2_20_0 = new AsoRelease('v2.20.0');
  /** Azure Service Operator v2.21.0. */
  public static readonly V2_21_0 = new AsoRelease('v2.21.0');
  /** The newest release that this library knows. */
  public static readonly LATEST = AsoRelease.V2_21_0;

  /**
   * A release by its version number. Patch releases serve what their minor release serves: `v2.11.2` is taken for `v2.11.0`.
   * @param version e.g. `v2.11.0`, `2.11.2` or `v2.11`
   * @throws when the text is no version, or no release that this library knows
   */
  public static of(version: string): AsoRelease {
    const parts = typeof version === 'string' ? /^v?(\d+)\.(\d+)(?:\.\d+)?$/.exec(version) : null;
    if (!parts) throw new Error(`AsoRelease.of: ${shown(version)} is not a version. Write it like 'v2.11.0'.`);
    const name = `v${Number(parts[1])}.${Number(parts[2])}.0`;
    const release = AsoRelease.all.find((known) => known.name === name);
    if (!release) throw new Error(`AsoRelease.of: there is no release ${shown(version)} in this library; it knows ${AsoRelease.V2_0_0} to ${AsoRelease.LATEST}. For a newer operator take AsoRelease.LATEST, or a newer version of this library.`);
    return release;
  }

  /** All releases that this library knows, oldest first. */
  public static get all(): AsoRelease[] {
    return [...new Set(Object.values(AsoRelease).filter((value) => value instanceof AsoRelease))];
  }

  /**
   * The release that counts for a construct: the one that was applied to it, or to the nearest scope above it.
   * @param construct any construct
   */
  public static appliedTo(construct: IConstruct): AsoRelease | undefined {
    const name = appliedRelease(construct);
    return name === undefined ? undefined : AsoRelease.of(name);
  }

  /** The name of the release, e.g. `v2.11.0`. */
  public readonly name: string;

  private constructor(name: string) {
    this.name = name;
  }

  /**
   * States that everything below the scope goes to clusters that run this release. It may be stated again further down, for
   * charts that go elsewhere. The `apiVersion` of a single resource counts more.
   * @param scope an app, a chart or any other construct, before there are resources in it
   * @throws when there are resources below the scope already: their API version is settled
   */
  public applyTo(scope: IConstruct): void {
    applyRelease(scope, this.name);
  }

  /** The name of the release. */
  public toString(): string {
    return this.name;
  }
}
