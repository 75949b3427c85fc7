/** The code on pages that needs curl, Python or Go: a part of `npm run --prefix lab languages`. */
import { tier } from '../../jest.config.js';

export default tier('sqlite', ['**/*.languages.ts']);
