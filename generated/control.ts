/** Generated from control.yaml by `npm run generate`. Do not edit. */

export interface components {
  schemas: {
    /**
     * @description The name of an operation in `openapi.yaml`.
     * @example listAutomations
     */
    OperationName: string;
    /**
     * @description An account name of 1 to 100 letters, digits or characters of `_.@-`, without a dot at the start.
     * @example account-1
     */
    AccountName: string;
    Account: {
      name: components['schemas']['AccountName'];
      /**
       * @description The account's API key.
       * @example test-key
       */
      apiKey: string;
    };
    AccountList: {
      data: components['schemas']['Account'][];
    };
    NewAccount: {
      /** @description The name of the account. The default is `account-1`, `account-2` and so on. */
      name?: components['schemas']['AccountName'];
      /**
       * @description An API key of 1 to 200 letters, digits or characters of `-._~+/`, optionally followed by `=` characters. By default, a new key is created.
       * @example test-key
       */
      apiKey?: string;
      records?: components['schemas']['Records'];
    };
    /** @description A record of a collection. It matches the schema of the collection in `openapi.yaml`. */
    Record: {
      id: components['schemas']['RecordId'];
    } & {
      [key: string]: unknown;
    };
    /**
     * Format: uuid
     * @description A UUID in any letter case. The id of a record.
     * @example b2c3d4e5-f6a7-8901-bcde-f12345678901
     */
    RecordId: string;
    RecordList: components['schemas']['Record'][];
    /** @description Records by collection name. A collection that is not listed is empty. */
    Records: {
      [key: string]: components['schemas']['RecordList'];
    };
    /**
     * @description The name of a collection.
     * @example contactImports
     */
    CollectionName: string;
    Put: {
      collection: components['schemas']['CollectionName'];
      records: components['schemas']['RecordList'];
    };
    Remove: {
      collection: components['schemas']['CollectionName'];
      ids: components['schemas']['RecordId'][];
    };
    MoveImport: {
      id: components['schemas']['RecordId'];
      /**
       * @description The final status of the import. The default is `completed`.
       * @enum {string}
       */
      end?: 'completed' | 'failed';
      /**
       * Format: int64
       * @description The number of records in the import. The default is 1000.
       */
      total?: number;
      /** @description Whether to advance the import to its end instead of by one step. */
      toEnd?: boolean;
    };
    /** @description A failure. It must have exactly one of `error`, `status`, `body` and `disconnect`, optionally with `delayMs`, or only `delayMs`. */
    Fault: {
      /**
       * @description The name of an error in `openapi.yaml`.
       * @example rate_limit_exceeded
       */
      error?: string;
      /**
       * Format: int32
       * @description The status of an error. If several errors have this status, use `error` instead.
       * @example 503
       */
      status?: number;
      /**
       * Format: int32
       * @description The number of seconds in `Retry-After`, for errors that have this header.
       */
      retryAfter?: number;
      /**
       * @description How to damage the body of the usual response. `cut`: send half of it. `malformed`: send a body that is not JSON. `stalled`: pause in the middle. `slow`: send it in pieces.
       * @enum {string}
       */
      body?: 'cut' | 'malformed' | 'stalled' | 'slow';
      /**
       * Format: double
       * @description The duration of a `stalled` or `slow` body, in milliseconds.
       */
      ms?: number;
      /**
       * @description Closes the connection without a response.
       * @enum {boolean}
       */
      disconnect?: true;
      /**
       * Format: double
       * @description The delay before the response, in milliseconds.
       */
      delayMs?: number;
      /** @description Applies only to requests for this operation. */
      operation?: components['schemas']['OperationName'];
    };
    NewFault: {
      fault: components['schemas']['Fault'];
      times?: components['schemas']['Times'];
      always?: components['schemas']['Always'];
    };
    /**
     * Format: int64
     * @description The number of requests that it applies to. The default is 1.
     */
    Times: number;
    /**
     * @description Applies to all requests. Use it instead of `times`.
     * @enum {boolean}
     */
    Always: true;
    /** @description The account's requests that a cue waits for. */
    When: {
      /** @description Waits only for requests for this operation. By default, for all GET and HEAD requests for an operation. */
      operation?: components['schemas']['OperationName'];
      /** @description Waits only for requests whose `after` or `before` is this id. */
      cursor?: components['schemas']['RecordId'];
      /**
       * Format: int64
       * @description The cue fires at the nth of these requests, counted from when the cue was added. The default is 1.
       */
      nth?: number;
    };
    /** @description An action. It must have exactly one of these properties. With `at: before`, a fault applies to the request that fires the cue; with `at: after`, to the next request. */
    Action: {
      put?: components['schemas']['Put'];
      remove?: components['schemas']['Remove'];
      moveImport?: components['schemas']['MoveImport'];
      /** @enum {boolean} */
      revokeKey?: true;
      fail?: components['schemas']['Fault'];
    };
    NewCue: {
      when: components['schemas']['When'];
      then: components['schemas']['Actions'];
      at?: components['schemas']['At'];
      times?: components['schemas']['Times'];
      always?: components['schemas']['Always'];
    };
    /** @description The actions, in the order in which they run. */
    Actions: components['schemas']['Action'][];
    /**
     * @description When the actions run. `before` (the default): before the response is computed. `after`: after the response is sent and before the account's next request.
     * @enum {string}
     */
    At: 'before' | 'after';
    /**
     * @example {
     *       "number": 1,
     *       "when": {
     *         "operation": "listAutomations",
     *         "cursor": "b2c3d4e5-f6a7-8901-bcde-f12345678901"
     *       },
     *       "then": [
     *         {
     *           "remove": {
     *             "collection": "automations",
     *             "ids": [
     *               "b2c3d4e5-f6a7-8901-bcde-f12345678901"
     *             ]
     *           }
     *         }
     *       ],
     *       "at": "before",
     *       "times": 1,
     *       "fired": 0,
     *       "errors": []
     *     }
     */
    Cue: {
      /**
       * Format: int32
       * @description The number of the cue. Cues are numbered from 1, starting again when the account is reset.
       */
      number: number;
      when: components['schemas']['When'];
      then: components['schemas']['Actions'];
      at: components['schemas']['At'];
      times?: components['schemas']['Times'];
      always?: components['schemas']['Always'];
      /**
       * Format: int64
       * @description How often the cue fired.
       */
      fired: number;
      /** @description The errors of the first actions that failed, for example because a contact import does not exist. */
      errors: string[];
    };
    CueList: {
      data: components['schemas']['Cue'][];
    };
    /**
     * @description The name of a scenario. `docs/test-kit.md` describes each scenario and what a correct client does.
     * @enum {string}
     */
    ScenarioName:
      | 'insert-at-head-while-paginating'
      | 'cursor-removed'
      | 'status-changes-out-of-filter'
      | 'import-progresses-per-poll'
      | 'rate-limited-midway'
      | 'outage-and-recovery'
      | 'last-page-full'
      | 'ties-across-pages'
      | 'key-revoked-midway';
    NewScenario: {
      name: components['schemas']['ScenarioName'];
      /** @description The collection that the client lists. The default is `automations`. In `status-changes-out-of-filter`, the client lists enabled automations, of which one is disabled, or queued contact imports, of which one begins. */
      collection?: components['schemas']['CollectionName'];
      /**
       * Format: int32
       * @description The `limit` that the client sends. The default is 2.
       */
      limit?: number;
    };
    SeenRequest: {
      /** @example GET */
      method: string;
      /** @example /automations */
      path: string;
      query: components['schemas']['Values'];
      headers: components['schemas']['Values'];
      /** @description The operation. Missing if the request matches no operation. */
      operation?: components['schemas']['OperationName'];
      /**
       * Format: int32
       * @description The status of the response. Missing until the server responds.
       */
      status?: number;
      fault?: components['schemas']['Fault'];
      /** @description The numbers of the cues that fired at this request. */
      cues: number[];
    };
    /** @description Values by name. A repeated name has several values. */
    Values: {
      [key: string]: string[];
    };
    RequestList: {
      /**
       * Format: int32
       * @description The number of requests in `data`.
       */
      count: number;
      data: components['schemas']['SeenRequest'][];
    };
    Snapshot: {
      /**
       * Format: int32
       * @enum {integer}
       */
      version: 1;
      /** @description The records of each account, by account name. */
      accounts: {
        [key: string]: components['schemas']['Records'];
      };
    };
    /** @description The body of all error responses. */
    Problem: {
      /**
       * Format: int32
       * @example 422
       */
      statusCode: number;
      /** @enum {string} */
      name:
        | 'invalid_json'
        | 'invalid_control_key'
        | 'cross_site_request'
        | 'not_found'
        | 'method_not_allowed'
        | 'conflict'
        | 'body_too_large'
        | 'validation_error'
        | 'application_error';
      /** @example `times` must be a whole number of 1 or more. */
      message: string;
    };
  };
  responses: never;
  parameters: {
    /** @description The name of an account. */
    Account: components['schemas']['AccountName'];
    /** @description Returns only requests for this operation in `openapi.yaml`. */
    Operation: components['schemas']['OperationName'];
    /** @description Returns only requests whose response has this status. */
    Status: number;
  };
  requestBodies: never;
  headers: never;
  pathItems: never;
}

/** What each operation takes, and the body of its success. */
export interface Operations {
  listAccounts: {
    query: undefined;
    body: undefined;
    result: components['schemas']['AccountList'];
  };
  createAccount: {
    query: undefined;
    body: components['schemas']['NewAccount'];
    result: components['schemas']['Account'];
  };
  deleteAccount: {
    query: undefined;
    body: undefined;
    result: void;
  };
  putRecords: {
    query: undefined;
    body: components['schemas']['Put'];
    result: void;
  };
  removeRecords: {
    query: undefined;
    body: components['schemas']['Remove'];
    result: void;
  };
  moveImport: {
    query: undefined;
    body: components['schemas']['MoveImport'];
    result: components['schemas']['Record'];
  };
  revokeKey: {
    query: undefined;
    body: undefined;
    result: void;
  };
  resetAccount: {
    query: undefined;
    body: undefined;
    result: void;
  };
  addAccountFault: {
    query: undefined;
    body: components['schemas']['NewFault'];
    result: void;
  };
  clearAccountFaults: {
    query: undefined;
    body: undefined;
    result: void;
  };
  listCues: {
    query: undefined;
    body: undefined;
    result: components['schemas']['CueList'];
  };
  addCue: {
    query: undefined;
    body: components['schemas']['NewCue'];
    result: components['schemas']['Cue'];
  };
  clearCues: {
    query: undefined;
    body: undefined;
    result: void;
  };
  addScenario: {
    query: undefined;
    body: components['schemas']['NewScenario'];
    result: components['schemas']['Cue'];
  };
  listAccountRequests: {
    query: { operation?: components['parameters']['Operation']; status?: components['parameters']['Status'] };
    body: undefined;
    result: components['schemas']['RequestList'];
  };
  clearAccountRequests: {
    query: undefined;
    body: undefined;
    result: void;
  };
  addFault: {
    query: undefined;
    body: components['schemas']['NewFault'];
    result: void;
  };
  clearFaults: {
    query: undefined;
    body: undefined;
    result: void;
  };
  listRequests: {
    query: { operation?: components['parameters']['Operation']; status?: components['parameters']['Status'] };
    body: undefined;
    result: components['schemas']['RequestList'];
  };
  clearRequests: {
    query: undefined;
    body: undefined;
    result: void;
  };
  reset: {
    query: undefined;
    body: undefined;
    result: void;
  };
  takeSnapshot: {
    query: undefined;
    body: undefined;
    result: components['schemas']['Snapshot'];
  };
  restoreSnapshot: {
    query: undefined;
    body: components['schemas']['Snapshot'];
    result: void;
  };
}
