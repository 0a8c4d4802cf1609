export { dependencyOrder } from '../../src/core/graph/dependency-order';
