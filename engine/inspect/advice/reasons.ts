import { azureAdvice } from './azure-codes';
import { conditionAdvice, failedInAzure } from './conditions';
import { messageOf, shell, target, type Advice, type AdviceContext } from './context';

/** The beginning of the condition of a resource that has failed in Azure (`controller/reconcile/core/failed-resource.ts`). */
const FAILED_IN_AZURE = /^Azure reports the state /;

/** Advice for a Ready condition: by the reasons of the controllers, then by Azure's codes, else what anybody would look at. */
export function ofReason(context: AdviceContext): Advice {
  const reason = context.cause.reason ?? '';
  if (FAILED_IN_AZURE.test(messageOf(context))) return failedInAzure(context);
  return conditionAdvice(reason, context) ?? azureAdvice(reason, context) ?? otherwise(context);
}

function otherwise(context: AdviceContext): Advice {
  const { name, node, cause: { reason } } = context;
  const known = reason === undefined || reason === '' ? 'Read the message' : `${reason} is Azure's word: read its message`;
  return {
    text: `${known} (${messageOf(context) === '' ? 'there is none' : 'above'}), look at the resource in Azure, and correct the spec. If the message does not help, give Azure's support the request id.`,
    commands: [
      ...(node?.armId === undefined ? [] : [`az resource show --ids ${shell(node.armId)}`]),
      `kubectl describe ${target(name)}`,
      'cdk8s-aso check dist/',
    ],
    document: 'docs/spec/errors.md#arm-errors',
  };
}
