// Takes the place of @opentelemetry/api in the bundles. Only prom-client loads it, for exemplars, which no metric of ours has.
module.exports = {};
