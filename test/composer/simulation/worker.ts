import { simulateJob } from './mistake-seeds';
import { answerJobs } from '../../setup/answer-jobs';

answerJobs(simulateJob);
