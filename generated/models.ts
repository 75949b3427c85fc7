/** Generated from openapi.yaml by `npm run generate`. Do not edit. */

/**
 * A UUID in lower case. Identifies an item among those of its kind and account. The pattern is the whole rule.
 * @example c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73
 */
export type Id = string;
/**
 * A UUID in upper or lower case. The id of an item, as a request may write it. The pattern is the whole rule.
 * @example c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73
 */
export type AnyCaseId = string;
/**
 * A date, a time with 0 to 6 fractional digits of the second, and an offset from UTC in hours or hours and minutes. Not RFC 3339: a space stands between date and time, and the offset may lack its minutes. Different items may have different numbers of digits.
 * @example 2026-04-16 13:49:40.678912+00
 */
export type Timestamp = string;
/**
 * A date, a time with 0 to 6 fractional digits of the second, and an offset from UTC in hours or hours and minutes, or null. When the import ended: `null` while its status is `queued` or `in_progress`, and never `null` once it is `completed` or `failed`.
 * @example 2026-04-16 13:52:08.004+00
 */
export type CompletionTimestamp = string | null;
/**
 * Whether more items exist in the direction of travel: older ones without a cursor or with `after`, newer ones with `before`.
 * @example true
 */
export type HasMore = boolean;
/**
 * Says that this is a list.
 */
export type ListObject = 'list';
/**
 * Says that this is a contact import.
 */
export type ContactImportObject = 'contact_import';
/**
 * Whether the automation is switched on.
 */
export type AutomationStatus = 'enabled' | 'disabled';
/**
 * Something the account has set up to run by itself.
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
   * A UUID in lower case. Identifies an item among those of its kind and account. The pattern is the whole rule.
   * @example c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73
   */
  id: Id;
  /**
   * The name its owner gave it. Any text, even an empty one.
   * @example Welcome series
   */
  name: string;
  /**
   * Whether the automation is switched on.
   */
  status: AutomationStatus;
  /**
   * A date, a time with 0 to 6 fractional digits of the second, and an offset from UTC in hours or hours and minutes. Not RFC 3339: a space stands between date and time, and the offset may lack its minutes. Different items may have different numbers of digits.
   * @example 2026-04-16 13:49:40.678912+00
   */
  created_at: Timestamp;
  /**
   * A date, a time with 0 to 6 fractional digits of the second, and an offset from UTC in hours or hours and minutes. Not RFC 3339: a space stands between date and time, and the offset may lack its minutes. Different items may have different numbers of digits.
   * @example 2026-04-16 13:49:40.678912+00
   */
  updated_at: Timestamp;
}
/** A page of automations, newest first. */
export interface AutomationList {
  /**
   * Says that this is a list.
   */
  object: ListObject;
  /**
   * Whether more items exist in the direction of travel: older ones without a cursor or with `after`, newer ones with `before`.
   * @example true
   */
  has_more: HasMore;
  /** The automations of this page. Empty if there are none. */
  data: Automation[];
}
/**
 * What stands in for the property where a contact has none, or `null` when there is no fallback. If the type of the property is `number`, a number or `null`; if it is `string`, a string or `null`; of any other type, any of the three. A string is any text, even an empty one. A number is answered as it was given: one that a double would change is refused when it is loaded.
 * @example friend
 */
export type FallbackValue = string | number | (never | null);
/**
 * A field that contacts of the account can have.
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
   * A UUID in lower case. Identifies an item among those of its kind and account. The pattern is the whole rule.
   * @example c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73
   */
  id: Id;
  /**
   * The name of the property. Any text, even an empty one.
   * @example first_name
   */
  key: string;
  /**
   * The data type of the property. `string` and `number` are known today; be prepared for any other text, even an empty one.
   * @example string
   */
  type: string;
  /**
   * What stands in for the property where a contact has none, or `null` when there is no fallback. If the type of the property is `number`, a number or `null`; if it is `string`, a string or `null`; of any other type, any of the three. A string is any text, even an empty one. A number is answered as it was given: one that a double would change is refused when it is loaded.
   * @example friend
   */
  fallback_value: FallbackValue;
  /**
   * A date, a time with 0 to 6 fractional digits of the second, and an offset from UTC in hours or hours and minutes. Not RFC 3339: a space stands between date and time, and the offset may lack its minutes. Different items may have different numbers of digits.
   * @example 2026-04-16 13:49:40.678912+00
   */
  created_at: Timestamp;
}
/** A page of contact properties, newest first. */
export interface ContactPropertyList {
  /**
   * Says that this is a list.
   */
  object: ListObject;
  /**
   * Whether more items exist in the direction of travel: older ones without a cursor or with `after`, newer ones with `before`.
   * @example true
   */
  has_more: HasMore;
  /** The contact properties of this page. Empty if there are none. */
  data: ContactProperty[];
}
/**
 * How far the import has come: waiting, being worked on, ended, or ended by a failure of the import as a whole.
 */
export type ContactImportStatus = 'queued' | 'in_progress' | 'completed' | 'failed';
/**
 * What became of the import's records. All zero before anything has been processed.
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
   * Records in the import.
   */
  total: number;
  /**
   * Records that created a contact.
   */
  created: number;
  /**
   * Records that updated a contact.
   */
  updated: number;
  /**
   * Records that were skipped.
   */
  skipped: number;
  /**
   * Records that failed.
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
   * Says that this is a contact import.
   */
  object: ContactImportObject;
  /**
   * A UUID in lower case. Identifies an item among those of its kind and account. The pattern is the whole rule.
   * @example c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73
   */
  id: Id;
  /**
   * How far the import has come: waiting, being worked on, ended, or ended by a failure of the import as a whole.
   */
  status: ContactImportStatus;
  /**
   * A date, a time with 0 to 6 fractional digits of the second, and an offset from UTC in hours or hours and minutes. Not RFC 3339: a space stands between date and time, and the offset may lack its minutes. Different items may have different numbers of digits.
   * @example 2026-04-16 13:49:40.678912+00
   */
  created_at: Timestamp;
  /**
   * A date, a time with 0 to 6 fractional digits of the second, and an offset from UTC in hours or hours and minutes, or null. When the import ended: `null` while its status is `queued` or `in_progress`, and never `null` once it is `completed` or `failed`.
   * @example 2026-04-16 13:52:08.004+00
   */
  completed_at: CompletionTimestamp;
  /**
   * What became of the import's records. All zero before anything has been processed.
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
   * Says that this is a list.
   */
  object: ListObject;
  /**
   * Whether more items exist in the direction of travel: older ones without a cursor or with `after`, newer ones with `before`.
   * @example true
   */
  has_more: HasMore;
  /** The contact imports of this page. Empty if there are none. */
  data: ContactImport[];
}
/**
 * What went wrong, for programs. A closed set: a new name comes with a major version. Each belongs to one status.
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
 * The body of every error.
 * @example {
 *       "statusCode": 422,
 *       "name": "validation_error",
 *       "message": "`limit` must be a whole number from 1 to 100."
 *     }
 */
export interface Problem {
  /**
   * The HTTP status, once more.
   * @example 422
   */
  statusCode: number;
  /**
   * What went wrong, for programs. A closed set: a new name comes with a major version. Each belongs to one status.
   */
  name: ProblemName;
  /**
   * What went wrong, for people. Its wording may change at any time.
   * @example `limit` must be a whole number from 1 to 100.
   */
  message: string;
}
export interface ListAutomationsQuery {
  /** How many items to answer at most: 1 to 100, in plain decimal digits; 20 if it is not sent. A value out of range is refused with 422, never clamped. */
  limit?: number | undefined;
  /** The id of an automation. Answers the automations that follow it in list order (older ones), nearest first, without itself. An id the account does not have is a 404. Cannot be combined with `before`: both at once are a 422 `validation_error`. */
  after?: AnyCaseId | undefined;
  /** The id of an automation. Answers the page that ends right before it, that is the `limit` automations nearest to it on its newer side, still newest first and without itself. It is not the head of the list. An id the account does not have is a 404. Cannot be combined with `after`: both at once are a 422 `validation_error`. */
  before?: AnyCaseId | undefined;
  /** Answers only automations of this status. Without it, those of every status. */
  status?: AutomationStatus | undefined;
}
export interface ListContactPropertiesQuery {
  /** How many items to answer at most: 1 to 100, in plain decimal digits; 20 if it is not sent. A value out of range is refused with 422, never clamped. */
  limit?: number | undefined;
  /** The id of a contact property. Answers the contact properties that follow it in list order (older ones), nearest first, without itself. An id the account does not have is a 404. Cannot be combined with `before`: both at once are a 422 `validation_error`. */
  after?: AnyCaseId | undefined;
  /** The id of a contact property. Answers the page that ends right before it, that is the `limit` contact properties nearest to it on its newer side, still newest first and without itself. It is not the head of the list. An id the account does not have is a 404. Cannot be combined with `after`: both at once are a 422 `validation_error`. */
  before?: AnyCaseId | undefined;
}
export interface ListContactImportsQuery {
  /** How many items to answer at most: 1 to 100, in plain decimal digits; 10 if it is not sent, fewer than for the other lists. A value out of range is refused with 422, never clamped. */
  limit?: number | undefined;
  /** The id of a contact import. Answers the contact imports that follow it in list order (older ones), nearest first, without itself. An id the account does not have is a 404. Cannot be combined with `before`: both at once are a 422 `validation_error`. */
  after?: AnyCaseId | undefined;
  /** The id of a contact import. Answers the page that ends right before it, that is the `limit` contact imports nearest to it on its newer side, still newest first and without itself. It is not the head of the list. An id the account does not have is a 404. Cannot be combined with `after`: both at once are a 422 `validation_error`. */
  before?: AnyCaseId | undefined;
  /** Answers only contact imports of this status. Without it, those of every status. */
  status?: ContactImportStatus | undefined;
}
/** The query and the result of each method of a collection. */
export interface Collections {
  automations: {
    /** A page of the account's automations, newest first; all of them, or those of one status. Without a cursor it is the first page, with `after` or `before` the one that follows or precedes an item. */
    list: { item: Automation; query: ListAutomationsQuery };
  };
  contactProperties: {
    /** A page of the account's contact properties, newest first. Without a cursor it is the first page, with `after` or `before` the one that follows or precedes an item. */
    list: { item: ContactProperty; query: ListContactPropertiesQuery };
  };
  contactImports: {
    /** A page of the account's contact imports, newest first; all of them, or those of one status. Without a cursor it is the first page, with `after` or `before` the one that follows or precedes an item. */
    list: { item: ContactImport; query: ListContactImportsQuery };
    /** One contact import by its id. It takes no query parameters. To follow an import, ask with `If-None-Match` until its `status` is `completed` or `failed`. */
    get: { item: ContactImport };
  };
}
