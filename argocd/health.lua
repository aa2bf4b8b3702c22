-- How Argo CD knows the health of an InferenceService: by the conditions that the operator writes: Ready, and beside it
-- Reconciling or Stalled while it is so.
local health = { status = "Progressing", message = "Waiting for the operator" }

if obj.metadata.deletionTimestamp ~= nil then
  health.message = "Being deleted"
  return health
end

-- A status of an earlier spec says nothing of this one. A resource is as wanted only once the operator has said so.
-- A definition that is not Inferno's may let anything be written there, and a script that fails hides the resource.
local status = obj.status
if type(status) ~= "table" or type(status.conditions) ~= "table" then
  return health
end
if status.observedGeneration ~= obj.metadata.generation then
  return health
end

for _, condition in ipairs(status.conditions) do
  if type(condition) == "table" then
    local message = type(condition.message) == "string" and condition.message or ""
    if condition.type == "Stalled" and condition.status == "True" then
      return { status = "Degraded", message = message }
    end
    if condition.type == "Ready" then
      health.message = message
      if condition.status == "True" then
        health.status = "Healthy"
      elseif condition.reason == "RolloutPaused" then
        -- as Argo CD says of the Deployment itself: it goes on when a person says so
        health.status = "Suspended"
      end
    end
  end
end

return health
