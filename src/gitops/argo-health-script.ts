import { WAITING_REASONS } from './waiting-reasons';
import { RECONCILE_POLICY } from '../azure/annotations';

/** The health statuses of Argo CD that a script returns. */
export type ArgoStatus = 'Healthy' | 'Suspended' | 'Progressing' | 'Degraded';

/** The choices of a health script. */
export interface ArgoVerdicts {
  /** Status of a Warning that waits for another object. */
  readonly waiting: ArgoStatus;
  /** Status of any other Warning. */
  readonly warning: ArgoStatus;
  /** Status of an object that is Ready under the reconcile policy `skip`. */
  readonly skipped: ArgoStatus;
}

/**
 * A Lua script for the health of an object of Azure Service Operator. It uses no library but the base: by default, Argo CD opens hardly
 * another. A number may be a string there, hence `tonumber`.
 */
export function argoHealthScript({ waiting, warning, skipped }: ArgoVerdicts): string {
  const reasons = WAITING_REASONS.map((reason) => `${reason} = true`).join(', ');
  return `local waiting = { ${reasons} }

local function health(status, message)
  return { status = status, message = message }
end

local function textOf(condition)
  local text = condition.reason or ""
  if condition.message ~= nil and condition.message ~= "" then
    text = text .. ": " .. condition.message
  end
  return text
end

if obj.metadata.deletionTimestamp ~= nil then
  return health("Progressing", "The object is being deleted")
end

local ready = nil
if obj.status ~= nil and obj.status.conditions ~= nil then
  for _, condition in ipairs(obj.status.conditions) do
    if condition.type == "Ready" then
      ready = condition
    end
  end
end
if ready == nil then
  return health("Progressing", "The operator has not reported on this object yet")
end

local generation = tonumber(obj.metadata.generation or 0)
local observed = tonumber(ready.observedGeneration or generation)
if observed < generation then
  return health("Progressing", "The operator has not reported on the latest change yet")
end

if ready.status == "True" then
  local annotations = obj.metadata.annotations or {}
  if annotations["${RECONCILE_POLICY}"] == "skip" then
    return health("${skipped}", "The reconcile policy is skip: the operator changes nothing in Azure")
  end
  return health("Healthy", ready.message or "")
end
if ready.status == "False" and ready.severity == "Error" then
  return health("Degraded", textOf(ready))
end
if ready.status == "False" and ready.severity == "Warning" then
  if waiting[ready.reason] then
    return health("${waiting}", textOf(ready))
  end
  return health("${warning}", textOf(ready))
end
return health("Progressing", textOf(ready))
`;
}
