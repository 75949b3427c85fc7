/** For Deno without a permission to read the environment: it neither asks nor throws anything but the client's own error. */
import { createClient } from '@rollcall/client';

try {
  createClient();
} catch (error) {
  console.log(error.message);
}
