import type { FieldError } from './field-error';

export interface StatusCause {
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** `kind: Status`, what every refusal is answered with. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: object;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** A resource as messages name it. */
export interface ResourceName {
  readonly group: string;
  readonly plural: string;
}

/** A Go server's answer for an unknown path. */
export const NO_SUCH_PATH = '404 page not found';

const qualified = ({ group, plural }: ResourceName): string => (group ? `${plural}.${group}` : plural);

/** A refusal in the words of a real server, because people and programs know those. */
export class ApiError extends Error {
  public static notFound(resource: ResourceName, name: string): ApiError {
    return new ApiError(404, 'NotFound', `${qualified(resource)} "${name}" not found`, named(resource, name));
  }

  /**
   * There is no such path, or no such resource in that group and version: the one refusal that is no `Status`, because nothing serves it.
   */
  public static noSuchResource(): ApiError {
    return new ApiError(404, 'NotFound', NO_SUCH_PATH);
  }

  public static alreadyExists(resource: ResourceName, name: string): ApiError {
    return new ApiError(409, 'AlreadyExists', `${qualified(resource)} "${name}" already exists`, named(resource, name));
  }

  /** The object has changed since it was read. */
  public static conflict(
    resource: ResourceName,
    name: string,
    why = 'the object has been modified; please apply your changes to the latest version and try again',
  ): ApiError {
    return new ApiError(
      409,
      'Conflict',
      `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`,
      named(resource, name),
    );
  }

  public static applyConflict(causes: readonly StatusCause[]): ApiError {
    const listed = causes.map((cause) => `${cause.message}: ${cause.field}`);
    const text =
      causes.length === 1
        ? `Apply failed with 1 conflict: ${listed[0]}`
        : `Apply failed with ${causes.length} conflicts: ${listed.join('\n')}`;
    return new ApiError(409, 'Conflict', text, { causes });
  }

  public static forbidden(resource: ResourceName, name: string, why: string, causes?: readonly StatusCause[]): ApiError {
    return new ApiError(403, 'Forbidden', `${qualified(resource)} "${name}" is forbidden: ${why}`, {
      ...named(resource, name),
      ...(causes && { causes }),
    });
  }

  public static badRequest(message: string): ApiError {
    return new ApiError(400, 'BadRequest', message);
  }

  /** The history does not reach back so far. */
  public static expired(message: string): ApiError {
    return new ApiError(410, 'Expired', message);
  }

  public static methodNotAllowed(): ApiError {
    return new ApiError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
  }

  public static unsupportedMediaType(known: readonly string[]): ApiError {
    return new ApiError(
      415,
      'UnsupportedMediaType',
      `the body of the request was in an unknown format - accepted media types include: ${known.join(', ')}`,
    );
  }

  /** A real server has no other status for it. */
  public static noNumber(resourceVersion: string, field = ''): ApiError {
    return new ApiError(500, '', `${field}strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`);
  }

  public static notAcceptable(): ApiError {
    return new ApiError(
      406,
      'NotAcceptable',
      'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    );
  }

  /** Members that the schema or the metadata's rules refuse. `kind` and `group` are empty for errors in a patch itself. */
  public static invalid(group: string, kind: string, name: string, errors: readonly FieldError[]): ApiError {
    const texts = [...new Set(errors.map((error) => error.text))];
    const what = kind ? `${group ? `${kind}.${group}` : kind} "${name}"` : ' ""';
    const causes = errors.map((error) => ({ reason: error.reason, message: error.body, field: error.field }));
    const message = `${what} is invalid: ${texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`}`;
    return new ApiError(422, 'Invalid', message, { ...(name && { name }), ...(group && { group }), ...(kind && { kind }), causes });
  }

  public constructor(
    public readonly code: number,
    public readonly reason: string,
    message: string,
    public readonly details?: StatusDetails,
  ) {
    super(message);
    this.name = 'ApiError';
  }

  public get status(): Status {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      ...(this.reason && { reason: this.reason }),
      ...(this.details && { details: this.details }),
      code: this.code,
    };
  }
}

const named = ({ group, plural }: ResourceName, name: string): StatusDetails => ({ name, ...(group && { group }), kind: plural });
