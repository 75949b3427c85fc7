/** Generated from openapi.yaml by `npm run generate`. Do not edit. */

/**
 * A UUID in lower case. Unique among the items of one type in one account. The pattern is the complete format.
 * @example c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73
 */
export type Id = string;
/**
 * A UUID in any letter case. The id of an item in a request. The pattern is the complete format.
 * @example c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73
 */
export type ItemId = string;
/**
 * A date, a time with 0 to 6 fractional digits, and a UTC offset in hours or hours and minutes. Not RFC 3339: a space separates date and time, and the minutes of the offset are optional. The number of fractional digits can differ between items.
 * @example 2026-04-16 13:49:40.678912+00
 */
export type Timestamp = string;
/**
 * A date, a time with 0 to 6 fractional digits, and a UTC offset in hours or hours and minutes, or null. The value is the time at which the import ended. It is `null` while the status is `queued` or `in_progress`, and never `null` if the status is `completed` or `failed`.
 * @example 2026-04-16 13:52:08.004+00
 */
export type CompletionTimestamp = string | null;
/**
 * The type of the object. Always `list`.
 */
export type ListType = 'list';
/**
 * The type of the object. Always `contact_import`.
 */
export type ContactImportType = 'contact_import';
/**
 * Whether the automation is enabled.
 */
export type AutomationStatus = 'enabled' | 'disabled';
/**
 * An automation in the account.
 * @example {
 *       "id": "c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73",
 *       "name": "Welcome series",
 *       "status": "enabled",
 *       "created_at": "2026-04-16 13:49:40.678912+00",
 *       "updated_at": "2026-05-02 08:11:05.004+00"
 *     }
 */
export interface Automation {
  /**
   * A UUID in lower case. Unique among the items of one type in one account. The pattern is the complete format.
   * @example c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73
   */
  id: Id;
  /**
   * The name of the automation. Can be any string, including an empty one.
   * @example Welcome series
   */
  name: string;
  /**
   * Whether the automation is enabled.
   */
  status: AutomationStatus;
  /**
   * A date, a time with 0 to 6 fractional digits, and a UTC offset in hours or hours and minutes. Not RFC 3339: a space separates date and time, and the minutes of the offset are optional. The number of fractional digits can differ between items.
   * @example 2026-04-16 13:49:40.678912+00
   */
  created_at: Timestamp;
  /**
   * A date, a time with 0 to 6 fractional digits, and a UTC offset in hours or hours and minutes. Not RFC 3339: a space separates date and time, and the minutes of the offset are optional. The number of fractional digits can differ between items.
   * @example 2026-04-16 13:49:40.678912+00
   */
  updated_at: Timestamp;
}
/** A page of automations, newest first. */
export interface AutomationList {
  /**
   * The type of the object. Always `list`.
   */
  object: ListType;
  /**
   * Whether more automations exist in the direction of pagination: older ones without a cursor or with `after`, newer ones with `before`.
   * @example true
   */
  has_more: boolean;
  /** The automations on this page. Can be empty. */
  data: Automation[];
}
/**
 * The value used for contacts that do not have the property, or `null` if there is no fallback. For properties of type `number`, a number or `null`; of type `string`, a string or `null`; of any other type, a string, a number or `null`. A string can be empty. A number is always exact as a double.
 * @example friend
 */
export type FallbackValue = string | number | null;
/**
 * A field that the account's contacts can have.
 * @example {
 *       "id": "5d0a7c92-3e1b-4f68-8b24-91c7e6d5a034",
 *       "key": "first_name",
 *       "type": "string",
 *       "fallback_value": "friend",
 *       "created_at": "2026-02-03 09:30:00+00"
 *     }
 */
export interface ContactProperty {
  /**
   * A UUID in lower case. Unique among the items of one type in one account. The pattern is the complete format.
   * @example c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73
   */
  id: Id;
  /**
   * The name of the property. Can be any string, including an empty one.
   * @example first_name
   */
  key: string;
  /**
   * The data type of the property. The known types are `string` and `number`. Accept any other string, including an empty one.
   * @example string
   */
  type: string;
  /**
   * The value used for contacts that do not have the property, or `null` if there is no fallback. For properties of type `number`, a number or `null`; of type `string`, a string or `null`; of any other type, a string, a number or `null`. A string can be empty. A number is always exact as a double.
   * @example friend
   */
  fallback_value: FallbackValue;
  /**
   * A date, a time with 0 to 6 fractional digits, and a UTC offset in hours or hours and minutes. Not RFC 3339: a space separates date and time, and the minutes of the offset are optional. The number of fractional digits can differ between items.
   * @example 2026-04-16 13:49:40.678912+00
   */
  created_at: Timestamp;
}
/** A page of contact properties, newest first. */
export interface ContactPropertyList {
  /**
   * The type of the object. Always `list`.
   */
  object: ListType;
  /**
   * Whether more contact properties exist in the direction of pagination: older ones without a cursor or with `after`, newer ones with `before`.
   * @example true
   */
  has_more: boolean;
  /** The contact properties on this page. Can be empty. */
  data: ContactProperty[];
}
/**
 * The status of the import. `queued`: waiting. `in_progress`: being processed. `completed`: processed. `failed`: the import as a whole failed.
 */
export type ContactImportStatus = 'queued' | 'in_progress' | 'completed' | 'failed';
/**
 * The number of records by outcome. All counts are 0 before processing starts. A count can exceed 32 bits, and is always exact as a double.
 * @example {
 *       "total": 1200,
 *       "created": 1100,
 *       "updated": 80,
 *       "skipped": 15,
 *       "failed": 5
 *     }
 */
export interface ContactImportCounts {
  /**
   * Total number of records in the import.
   */
  total: number;
  /**
   * Number of records that created a contact.
   */
  created: number;
  /**
   * Number of records that updated a contact.
   */
  updated: number;
  /**
   * Number of skipped records.
   */
  skipped: number;
  /**
   * Number of failed records.
   */
  failed: number;
}
/**
 * A bulk import of contacts.
 * @example {
 *       "object": "contact_import",
 *       "id": "7e31b0c4-52d8-4a6f-b1e9-0c4d8f2a6b95",
 *       "status": "completed",
 *       "created_at": "2026-04-16 13:49:40.678+00",
 *       "completed_at": "2026-04-16 13:52:08.004512+00",
 *       "counts": {
 *         "total": 1200,
 *         "created": 1100,
 *         "updated": 80,
 *         "skipped": 15,
 *         "failed": 5
 *       }
 *     }
 */
export interface ContactImport {
  /**
   * The type of the object. Always `contact_import`.
   */
  object: ContactImportType;
  /**
   * A UUID in lower case. Unique among the items of one type in one account. The pattern is the complete format.
   * @example c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73
   */
  id: Id;
  /**
   * The status of the import. `queued`: waiting. `in_progress`: being processed. `completed`: processed. `failed`: the import as a whole failed.
   */
  status: ContactImportStatus;
  /**
   * A date, a time with 0 to 6 fractional digits, and a UTC offset in hours or hours and minutes. Not RFC 3339: a space separates date and time, and the minutes of the offset are optional. The number of fractional digits can differ between items.
   * @example 2026-04-16 13:49:40.678912+00
   */
  created_at: Timestamp;
  /**
   * A date, a time with 0 to 6 fractional digits, and a UTC offset in hours or hours and minutes, or null. The value is the time at which the import ended. It is `null` while the status is `queued` or `in_progress`, and never `null` if the status is `completed` or `failed`.
   * @example 2026-04-16 13:52:08.004+00
   */
  completed_at: CompletionTimestamp;
  /**
   * The number of records by outcome. All counts are 0 before processing starts. A count can exceed 32 bits, and is always exact as a double.
   * @example {
   *       "total": 1200,
   *       "created": 1100,
   *       "updated": 80,
   *       "skipped": 15,
   *       "failed": 5
   *     }
   */
  counts: ContactImportCounts;
}
/** A page of contact imports, newest first. */
export interface ContactImportList {
  /**
   * The type of the object. Always `list`.
   */
  object: ListType;
  /**
   * Whether more contact imports exist in the direction of pagination: older ones without a cursor or with `after`, newer ones with `before`.
   * @example true
   */
  has_more: boolean;
  /** The contact imports on this page. Can be empty. */
  data: ContactImport[];
}
/**
 * The error name, for programs. The set is closed: a new name requires a major version. Each name belongs to one status.
 */
export type ProblemName =
  | 'validation_error'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'not_found'
  | 'method_not_allowed'
  | 'rate_limit_exceeded'
  | 'application_error'
  | 'service_unavailable';
/**
 * The body of all error responses.
 * @example {
 *       "statusCode": 422,
 *       "name": "validation_error",
 *       "message": "`limit` must be a whole number from 1 to 100."
 *     }
 */
export interface Problem {
  /**
   * The HTTP status of the response.
   * @example 422
   */
  statusCode: number;
  /**
   * The error name, for programs. The set is closed: a new name requires a major version. Each name belongs to one status.
   */
  name: ProblemName;
  /**
   * A description of the error, for people. Its text may change at any time.
   * @example `limit` must be a whole number from 1 to 100.
   */
  message: string;
}
export interface ListAutomationsQuery {
  /** Maximum number of items to return: 1 to 100, in plain decimal digits without a leading zero. The default is 20. A value out of range is never clamped: the request returns 422 `validation_error`. */
  limit?: number | undefined;
  /** The id of an automation. Returns the older automations that follow it in the list, nearest first, without the item itself. If the account has no item with this id, the response is 404 `not_found`. Cannot be combined with `before`: sending both returns 422 `validation_error`. */
  after?: ItemId | undefined;
  /** The id of an automation. Returns the page that ends right before it: up to `limit` newer automations, those nearest to it, newest first, without the item itself. This is not necessarily the first page of the list. If the account has no item with this id, the response is 404 `not_found`. Cannot be combined with `after`: sending both returns 422 `validation_error`. */
  before?: ItemId | undefined;
  /** Returns only automations with this status. By default, returns automations with any status. */
  status?: AutomationStatus | undefined;
}
export interface ListContactPropertiesQuery {
  /** Maximum number of items to return: 1 to 100, in plain decimal digits without a leading zero. The default is 20. A value out of range is never clamped: the request returns 422 `validation_error`. */
  limit?: number | undefined;
  /** The id of a contact property. Returns the older contact properties that follow it in the list, nearest first, without the item itself. If the account has no item with this id, the response is 404 `not_found`. Cannot be combined with `before`: sending both returns 422 `validation_error`. */
  after?: ItemId | undefined;
  /** The id of a contact property. Returns the page that ends right before it: up to `limit` newer contact properties, those nearest to it, newest first, without the item itself. This is not necessarily the first page of the list. If the account has no item with this id, the response is 404 `not_found`. Cannot be combined with `after`: sending both returns 422 `validation_error`. */
  before?: ItemId | undefined;
}
export interface ListContactImportsQuery {
  /** Maximum number of items to return: 1 to 100, in plain decimal digits without a leading zero. The default is 10, lower than for other lists. A value out of range is never clamped: the request returns 422 `validation_error`. */
  limit?: number | undefined;
  /** The id of a contact import. Returns the older contact imports that follow it in the list, nearest first, without the item itself. If the account has no item with this id, the response is 404 `not_found`. Cannot be combined with `before`: sending both returns 422 `validation_error`. */
  after?: ItemId | undefined;
  /** The id of a contact import. Returns the page that ends right before it: up to `limit` newer contact imports, those nearest to it, newest first, without the item itself. This is not necessarily the first page of the list. If the account has no item with this id, the response is 404 `not_found`. Cannot be combined with `after`: sending both returns 422 `validation_error`. */
  before?: ItemId | undefined;
  /** Returns only contact imports with this status. By default, returns contact imports with any status. */
  status?: ContactImportStatus | undefined;
}
/** The query and the result of each method of a collection. */
export interface Collections {
  automations: {
    /** Returns a page of the account's automations, newest first. Filter them by `status`. Without a cursor, returns the first page; with `after` or `before`, the page that follows or precedes an item. */
    list: { item: Automation; query: ListAutomationsQuery };
  };
  contactProperties: {
    /** Returns a page of the account's contact properties, newest first. Without a cursor, returns the first page; with `after` or `before`, the page that follows or precedes an item. */
    list: { item: ContactProperty; query: ListContactPropertiesQuery };
  };
  contactImports: {
    /** Returns a page of the account's contact imports, newest first. Filter them by `status`. Without a cursor, returns the first page; with `after` or `before`, the page that follows or precedes an item. */
    list: { item: ContactImport; query: ListContactImportsQuery };
    /** Returns one contact import by its id, with the values that it has in the list. The operation has no query parameters. To follow an import, poll it with `If-None-Match` until its `status` is `completed` or `failed`. */
    get: { item: ContactImport };
  };
}
