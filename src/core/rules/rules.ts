import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import type * as Internal from './internal';
import { RuleFinding, RuleSeverity } from './rule-finding';
import { IGNORE_RULES } from '../../azure/annotations';
import { elementAt } from '../../util/elements';
import { omitUndefined } from '../../util/records';

// Loaded on demand: only findings need the rules.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const internal = (): typeof Internal => require('./internal') as typeof Internal;

/**
 * The rules of `cdk8s-aso check`: they find objects that the cluster, the operator or Azure would refuse later, or that do harm.
 * @see https://cdk8s-aso.github.io/cdk8s-aso/checks
 */
export class Rules {
  /**
   * Suppresses a rule for an object, with a reason, in the object's annotation `aso.cdk8s.io/ignore-rules`.
   * @param object an Azure resource or any other object
   * @param id id of the rule, e.g. `role-scope`
   * @param reason why the rule does not apply to the object, for readers of the manifest; without `;`
   * @throws when there is no such rule, or no reason
   */
  public static suppress(object: ApiObject, id: string, reason: string): void {
    const { checkedSuppression, withSuppression } = internal();
    const problem = checkedSuppression(id, reason);
    if (problem !== undefined) throw new Error(`[${object.node.path}] Rules.suppress: ${problem}`);
    const { annotations } = object.metadata.toJson() as { annotations?: Record<string, string> };
    object.metadata.addAnnotation(IGNORE_RULES, withSuppression(annotations?.[IGNORE_RULES], id, reason.trim()));
  }

  /**
   * The findings in the objects at and below a construct, without suppressed ones. Referenced objects outside of it count as missing. The
   * objects are checked as they are at the time of the call; call it when the app is complete.
   * @param scope an app, a chart or any other construct
   */
  public static check(scope: IConstruct): RuleFinding[] {
    const { credentialKnowledgeIn, runRules, spellObject } = internal();
    const objects = scope.node.findAll().filter((construct): construct is ApiObject => ApiObject.isApiObject(construct));
    const { findings } = runRules(
      objects.map((object) => object.toJson() as Internal.RuleManifest),
      { credentials: credentialKnowledgeIn(scope) },
    );
    return findings.map(({ rule, severity, object, field, message, why, fix }) => omitUndefined({
      rule,
      severity: severity as RuleSeverity,
      constructPath: elementAt(objects, object.index).node.path,
      object: spellObject(object),
      field,
      message,
      why,
      fix,
    }));
  }

  private constructor() {}
}
