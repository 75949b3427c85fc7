/** Which pages there are. In a file without Express, whose types nobody needs who starts a server. */

/** Without any, there is the contract alone. */
export interface Pages {
  readonly console: boolean;
  readonly reference: boolean;
}
