import vue from 'eslint-plugin-vue'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'
import vueParser from 'vue-eslint-parser'

export default defineConfig(
  { ignores: ['out/', 'node_modules/', 'test-results/', 'playwright-report/', 'lab/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  tseslint.configs.recommended,
  // Outside of the page and its tests, nothing is a component.
  vue.configs['flat/recommended'].map((config) => ({
    files: ['renderer/**', 'test/*/page/**', 'test/world/**', 'test/bench/page/**'],
    ...config
  })),
  {
    files: ['**/*.vue'],
    languageOptions: { parser: vueParser, parserOptions: { parser: tseslint.parser, sourceType: 'module' } }
  },
  {
    files: ['**/*.vue'],
    rules: {
      'vue/no-v-html': 'error',
      // vue-tsc knows every name; without types this rule only guesses.
      'no-undef': 'off',
      // Layout is left to Prettier: no rule here judges line breaks or indentation.
      'vue/html-indent': 'off',
      'vue/html-self-closing': 'off',
      'vue/html-closing-bracket-newline': 'off',
      'vue/first-attribute-linebreak': 'off',
      'vue/max-attributes-per-line': 'off',
      'vue/singleline-html-element-content-newline': 'off',
      'vue/multiline-html-element-content-newline': 'off',
      // TypeScript's optional props say that they may be missing.
      'vue/require-default-prop': 'off',
      'vue/multi-word-component-names': 'off'
    }
  },
  {
    rules: {
      eqeqeq: ['error', 'always'],
      'no-empty': ['error', { allowEmptyCatch: false }],
      'no-eval': 'error',
      'no-new-func': 'error',
      'prefer-const': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }]
    }
  },
  {
    files: ['main/**', 'simulator/**', 'preload/**'],
    rules: { 'no-console': 'error' }
  },
  {
    files: ['main/**', 'preload/**', 'renderer/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          // A failure takes nothing but a message: this closes the way around it.
          selector:
            'CallExpression[callee.name=/^(plain|as)Message$/] > :matches(Literal[value=/[a-z] [a-z]/i], TemplateLiteral[quasis.0.value.raw=/[a-z] [a-z]/i])',
          message: 'Our own sentences stand in resources/messages. plainMessage is for the words of others.'
        }
      ]
    }
  },
  {
    files: ['test/*/unit/**', 'test/*/integration/**', 'test/*/page/**', 'test/world/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'CallExpression[callee.object.name="vi"][callee.property.name=/^wait(For|Until)$/][arguments.length=1]',
          message:
            'Without a limit of its own this fails after one second, which a busy computer misses: give it 15_000.'
        },
        {
          selector:
            'CallExpression[callee.property.name=/^(poll|waitFor|waitUntil)$/] Property[key.name="timeout"] > Literal[value<10000]',
          message:
            'A busy computer misses this limit. It only ends a wait for a fact that never comes: give it at least 10 s.'
        }
      ]
    }
  },
  {
    // The command line's output is what a person reads.
    files: ['main/terminal/**'],
    rules: { 'no-console': 'off' }
  },
  {
    files: ['**/*.cjs'],
    languageOptions: { sourceType: 'commonjs' },
    rules: { '@typescript-eslint/no-require-imports': 'off' }
  }
)
