export { BatchDriftDetection, type BatchDriftDetectionOptions } from './batch-drift-detection';
export { subjectOf } from './observed-state';
