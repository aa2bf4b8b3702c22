-- How Argo CD is told what an InferenceService is, by the conditions that the operator writes: Ready, and beside it
-- Reconciling or Stalled while it is so.
local health = { status = "Progressing", message = "Waiting for the operator" }

if obj.metadata.deletionTimestamp ~= nil then
  health.message = "Being deleted"
  return health
end

-- A status of an earlier spec says nothing of this one. A resource is as wanted only once the operator has said so.
local status = obj.status
if status == nil or status.conditions == nil or status.observedGeneration ~= obj.metadata.generation then
  return health
end

for _, condition in ipairs(status.conditions) do
  if condition.type == "Stalled" and condition.status == "True" then
    return { status = "Degraded", message = condition.message }
  end
  if condition.type == "Ready" then
    health.message = condition.message
    if condition.status == "True" then
      health.status = "Healthy"
    elseif condition.reason == "RolloutPaused" then
      -- as Argo CD says of the Deployment itself: it goes on when a person says so
      health.status = "Suspended"
    end
  end
end

return health
