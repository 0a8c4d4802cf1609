import { azureAnswers } from './rows/azure-answers';
import { runAttacks } from './run-attacks';

runAttacks('Answers that are not Azure\'s', azureAnswers);
