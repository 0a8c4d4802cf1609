import type * as Internal from './internal';
import { elementAt } from '../../util/elements';

// eslint-disable-next-line @typescript-eslint/no-require-imports
const internal = (): typeof Internal => require('./internal') as typeof Internal;

/** The part of cdk8s-cli's ValidationContext that is used. */
interface Context {
  readonly manifests: readonly string[];
  readonly report: { addViolation(violation: object): void; submit(status: 'success' | 'failure'): void };
  parseManifest(path: string): unknown[];
}

/**
 * The rules as a validation plugin of `cdk8s synth`. In `cdk8s.yaml`:
 *
 *     validations:
 *       - package: ./node_modules/cdk8s-aso
 *         version: 0.0.0
 *         class: RuleValidation
 *         properties: { strict: false }
 *
 * Errors are violations; with `strict: true` warnings are too.
 * @see https://cdk8s.io/docs/latest/plugins/validations/
 */
export class RuleValidation {
  private readonly strict: boolean;

  /** @param properties `properties` of cdk8s.yaml */
  public constructor(properties?: any) {
    this.strict = (properties as { strict?: unknown } | undefined)?.strict === true;
  }

  /**
   * Checks the synthesized manifests. Called by cdk8s.
   * @param context the manifests and the report
   */
  public async validate(context: any): Promise<void> {
    const { manifests, report } = context as Context;
    const { runRules } = internal();
    const read = manifests.flatMap((path) =>
      (context as Context)
        .parseManifest(path)
        .filter(isManifest)
        .map((manifest) => ({ path, manifest })),
    );
    const { findings } = runRules(read.map(({ manifest }) => manifest));
    const violations = findings.filter(({ severity }) => severity === 'error' || (this.strict && severity === 'warning'));
    for (const { rule, object, field, message, why, fix } of violations) {
      report.addViolation({
        ruleName: rule,
        recommendation: `${message}: ${why}`,
        fix,
        violatingResources: [{ resourceName: object.name, locations: [field ?? 'metadata.name'], manifestPath: elementAt(read, object.index).path }],
      });
    }
    report.submit(violations.length > 0 ? 'failure' : 'success');
  }
}

function isManifest(value: unknown): value is Internal.RuleManifest {
  const { apiVersion, kind, metadata } = (value ?? {}) as { apiVersion?: unknown; kind?: unknown; metadata?: { name?: unknown } | null };
  return typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string';
}
