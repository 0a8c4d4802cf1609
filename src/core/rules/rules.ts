import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import type * as Internal from './internal';
import { RuleFinding, RuleSeverity } from './rule-finding';
import { IGNORE_RULES } from '../../azure/annotations';

// Only who asks for findings loads the rules.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const internal = (): typeof Internal => require('./internal') as typeof Internal;

/**
 * The rules of `cdk8s-aso check`: what the cluster, the operator or Azure would refuse later, and what hurts.
 * @see https://cdk8s-aso.github.io/cdk8s-aso/checks
 */
export class Rules {
  /**
   * Lets a rule pass over an object, and says why in the object's annotation `aso.cdk8s.io/ignore-rules`.
   * @param object an Azure resource or any other object
   * @param id id of the rule, e.g. `role-scope`
   * @param reason why the rule does not concern the object, in words for whoever reads the manifest; without `;`
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
   * What the rules find in the objects at and below a construct, but for what is suppressed. What objects refer to outside of it
   * counts as not being there. The objects are looked at as they are now; call it when the app is complete.
   * @param scope an app, a chart or any other construct
   */
  public static check(scope: IConstruct): RuleFinding[] {
    const { credentialKnowledgeIn, runRules, spellObject } = internal();
    const objects = scope.node.findAll().filter((construct): construct is ApiObject => ApiObject.isApiObject(construct));
    const { findings } = runRules(objects.map((object) => object.toJson() as Internal.RuleManifest), { credentials: credentialKnowledgeIn(scope) });
    return findings.map(({ rule, severity, object, field, message, why, fix }) => ({
      rule,
      severity: severity as RuleSeverity,
      constructPath: objects[object.index].node.path,
      object: spellObject(object),
      field,
      message,
      why,
      fix,
    }));
  }

  private constructor() {}
}
