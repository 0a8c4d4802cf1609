export { dependencyOrder, type Ordered } from '../../src/core/graph/dependency-order';
