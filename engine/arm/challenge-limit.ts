import type { PipelinePolicy } from '@azure/core-rest-pipeline';

/** Characters of a `www-authenticate` header. Azure's challenges, with their claims, have less than 1,000. */
export const LONGEST_CHALLENGE = 4_096;
const HEADER = 'www-authenticate';

/**
 * Stands behind the authentication, which looks for challenges with patterns that take the square of the time: of the 16 KiB of headers that Node
 * reads, a quarter of a second. A longer header is none of Azure's: without it, the answer is an ordinary 401.
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
