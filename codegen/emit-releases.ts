import type { Catalog } from '../src/catalog';
import { elementAt } from '../src/util/elements';

/** Path of the class with the releases. */
export const RELEASES = 'src/core/versions/aso-release.ts';

/** The file of the class with a constant for every release of ASO in the catalog. */
export function releasesFile(catalog: Catalog): string {
  const releases = releasesIn(catalog);
  const constants = releases.map((release) => [
    `  /** Azure Service Operator ${release}. */\n`,
    `  public static readonly ${constantOf(release)} = new AsoRelease('${release}');\n`,
  ].join(''));
  return BEFORE + constants.join('') + after(constantOf(elementAt(releases, 0)), constantOf(elementAt(releases, releases.length - 1)));
}

/** The minor releases that first served a version of a kind, oldest first. */
function releasesIn(catalog: Catalog): string[] {
  const versions = catalog.allKinds.flatMap(({ facts }) => Object.values(facts.versions));
  const minors = versions.flatMap(({ since }) => {
    const parts = /^v(\d+)\.(\d+)\./.exec(since ?? '');
    return parts ? [`v${parts[1]}.${parts[2]}.0`] : [];
  });
  return [...new Set(minors)].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

function constantOf(release: string): string {
  return release.toUpperCase().replaceAll('.', '_');
}

const BEFORE = `// Written by \`npm run generate\`.
import { IConstruct } from 'constructs';
import { appliedRelease, applyRelease } from './applied-release';
import { formatValue } from '../schema/conversion';

/**
 * A release of Azure Service Operator: the one that the clusters run for which an app is made.
 *
 * \`\`\`ts
 * const app = new App();
 * AsoRelease.V2_11_0.applyTo(app);
 * \`\`\`
 *
 * Every resource below is then written in the newest stable API version that this release serves. A kind, a property or a value
 * that the version lacks is an error at synth, which names the first release that has it.
 */
export class AsoRelease {
`;

/** The class's code after the constants. */
function after(oldest: string, newest: string): string {
  return `  /** The newest release that this library knows. */
  public static readonly LATEST = AsoRelease.${newest};

  /**
   * A release by its version number. Patch releases serve what their minor release serves: \`v2.11.2\` is taken for \`v2.11.0\`.
   * @param version e.g. \`v2.11.0\`, \`2.11.2\` or \`v2.11\`
   * @throws when the text is no version, or no release that this library knows
   */
  public static of(version: string): AsoRelease {
    const parts = typeof version === 'string' ? /^v?(\\d+)\\.(\\d+)(?:\\.\\d+)?$/.exec(version) : null;
    if (!parts) throw new Error(\`AsoRelease.of: \${formatValue(version)} is not a version. Write it like 'v2.11.0'.\`);
    const name = \`v\${Number(parts[1])}.\${Number(parts[2])}.0\`;
    const release = AsoRelease.all.find((known) => known.name === name);
    if (!release) throw new Error(\`AsoRelease.of: there is no release \${formatValue(version)} in this library; it knows \${AsoRelease.${oldest}} to \${AsoRelease.LATEST}. For a newer operator take AsoRelease.LATEST, or a newer version of this library.\`);
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

  /** The name of the release, e.g. \`v2.11.0\`. */
  public readonly name: string;

  private constructor(name: string) {
    this.name = name;
  }

  /**
   * States that everything below the scope goes to clusters that run this release. It may be stated again further down, for
   * charts that go elsewhere. The \`apiVersion\` of a single resource counts more.
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
`;
}
