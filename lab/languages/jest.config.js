/** The code on pages that needs curl, Python or Go: a part of `npm run --prefix lab languages`. */
import { tier } from '../../jest.config.js';

export default tier('sqlite', ['<rootDir>/lab/languages/*.languages.ts']);
