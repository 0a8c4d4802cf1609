import type { PipelinePolicy } from '@azure/core-rest-pipeline';

/** Maximum characters of a `www-authenticate` header. Azure's challenges, with their claims, have less than 1,000. */
export const LONGEST_CHALLENGE = 4_096;
const HEADER = 'www-authenticate';

/**
 * Runs behind the authentication policy, whose patterns for challenges take quadratic time: a quarter of a second for the 16 KiB of headers
 * that Node reads. A longer header is not Azure's; the policy removes it, and the answer becomes an ordinary 401.
 * @see https://learn.microsoft.com/entra/identity-platform/claims-challenge
 */
export const challengeLimit: PipelinePolicy = {
  name: 'challengeLimit',
  sendRequest: async (request, next) => {
    const response = await next(request);
    if ((response.headers.get(HEADER)?.length ?? 0) > LONGEST_CHALLENGE) response.headers.delete(HEADER);
    return response;
  },
};
