/*! Contains lit-html 3.3.3, BSD-3-Clause:

BSD 3-Clause License

Copyright (c) 2017 Google LLC. All rights reserved.

Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this
   list of conditions and the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice,
   this list of conditions and the following disclaimer in the documentation
   and/or other materials provided with the distribution.

3. Neither the name of the copyright holder nor the names of its
   contributors may be used to endorse or promote products derived from
   this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE
FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
*/
const e=globalThis,t=e=>e,n=e.trustedTypes,r=n?n.createPolicy(`lit-html`,{createHTML:e=>e}):void 0,i=`$lit$`,a=`lit$${Math.random().toFixed(9).slice(2)}$`,o=`?`+a,s=`<${o}>`,c=document,l=()=>c.createComment(``),u=e=>e===null||typeof e!=`object`&&typeof e!=`function`,d=Array.isArray,f=e=>d(e)||typeof e?.[Symbol.iterator]==`function`,p=`[ 	
\f\r]`,m=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,ee=/-->/g,te=/>/g,h=RegExp(`>|${p}(?:([^\\s"'>=/]+)(${p}*=${p}*(?:[^ \t\n\f\r"'\`<>=]|("|')|))|$)`,`g`),ne=/'/g,re=/"/g,ie=/^(?:script|style|textarea|title)$/i,g=(e=>(t,...n)=>({_$litType$:e,strings:t,values:n}))(1),_=Symbol.for(`lit-noChange`),v=Symbol.for(`lit-nothing`),ae=new WeakMap,y=c.createTreeWalker(c,129);function oe(e,t){if(!d(e)||!e.hasOwnProperty(`raw`))throw Error(`invalid template strings array`);return r===void 0?t:r.createHTML(t)}const se=(e,t)=>{let n=e.length-1,r=[],o,c=t===2?`<svg>`:t===3?`<math>`:``,l=m;for(let t=0;t<n;t++){let n=e[t],u,d,f=-1,p=0;for(;p<n.length&&(l.lastIndex=p,d=l.exec(n),d!==null);)p=l.lastIndex,l===m?d[1]===`!--`?l=ee:d[1]===void 0?d[2]===void 0?d[3]!==void 0&&(l=h):(ie.test(d[2])&&(o=RegExp(`</`+d[2],`g`)),l=h):l=te:l===h?d[0]===`>`?(l=o??m,f=-1):d[1]===void 0?f=-2:(f=l.lastIndex-d[2].length,u=d[1],l=d[3]===void 0?h:d[3]===`"`?re:ne):l===re||l===ne?l=h:l===ee||l===te?l=m:(l=h,o=void 0);let g=l===h&&e[t+1].startsWith(`/>`)?` `:``;c+=l===m?n+s:f>=0?(r.push(u),n.slice(0,f)+i+n.slice(f)+a+g):n+a+(f===-2?t:g)}return[oe(e,c+(e[n]||`<?>`)+(t===2?`</svg>`:t===3?`</math>`:``)),r]};var b=class e{constructor({strings:t,_$litType$:r},s){let c;this.parts=[];let u=0,d=0,f=t.length-1,p=this.parts,[m,ee]=se(t,r);if(this.el=e.createElement(m,s),y.currentNode=this.el.content,r===2||r===3){let e=this.el.content.firstChild;e.replaceWith(...e.childNodes)}for(;(c=y.nextNode())!==null&&p.length<f;){if(c.nodeType===1){if(c.hasAttributes())for(let e of c.getAttributeNames())if(e.endsWith(i)){let t=ee[d++],n=c.getAttribute(e).split(a),r=/([.?@])?(.*)/.exec(t);p.push({type:1,index:u,name:r[2],strings:n,ctor:r[1]===`.`?ue:r[1]===`?`?de:r[1]===`@`?fe:S}),c.removeAttribute(e)}else e.startsWith(a)&&(p.push({type:6,index:u}),c.removeAttribute(e));if(ie.test(c.tagName)){let e=c.textContent.split(a),t=e.length-1;if(t>0){c.textContent=n?n.emptyScript:``;for(let n=0;n<t;n++)c.append(e[n],l()),y.nextNode(),p.push({type:2,index:++u});c.append(e[t],l())}}}else if(c.nodeType===8)if(c.data===o)p.push({type:2,index:u});else{let e=-1;for(;(e=c.data.indexOf(a,e+1))!==-1;)p.push({type:7,index:u}),e+=a.length-1}u++}}static createElement(e,t){let n=c.createElement(`template`);return n.innerHTML=e,n}};function x(e,t,n=e,r){if(t===_)return t;let i=r===void 0?n._$Cl:n._$Co?.[r],a=u(t)?void 0:t._$litDirective$;return i?.constructor!==a&&(i?._$AO?.(!1),a===void 0?i=void 0:(i=new a(e),i._$AT(e,n,r)),r===void 0?n._$Cl=i:(n._$Co??=[])[r]=i),i!==void 0&&(t=x(e,i._$AS(e,t.values),i,r)),t}var ce=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:n}=this._$AD,r=(e?.creationScope??c).importNode(t,!0);y.currentNode=r;let i=y.nextNode(),a=0,o=0,s=n[0];for(;s!==void 0;){if(a===s.index){let t;s.type===2?t=new le(i,i.nextSibling,this,e):s.type===1?t=new s.ctor(i,s.name,s.strings,this,e):s.type===6&&(t=new pe(i,this,e)),this._$AV.push(t),s=n[++o]}a!==s?.index&&(i=y.nextNode(),a++)}return y.currentNode=c,r}p(e){let t=0;for(let n of this._$AV)n!==void 0&&(n.strings===void 0?n._$AI(e[t]):(n._$AI(e,n,t),t+=n.strings.length-2)),t++}},le=class e{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,n,r){this.type=2,this._$AH=v,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=n,this.options=r,this._$Cv=r?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=x(this,e,t),u(e)?e===v||e==null||e===``?(this._$AH!==v&&this._$AR(),this._$AH=v):e!==this._$AH&&e!==_&&this._(e):e._$litType$===void 0?e.nodeType===void 0?f(e)?this.k(e):this._(e):this.T(e):this.$(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==v&&u(this._$AH)?this._$AA.nextSibling.data=e:this.T(c.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:n}=e,r=typeof n==`number`?this._$AC(e):(n.el===void 0&&(n.el=b.createElement(oe(n.h,n.h[0]),this.options)),n);if(this._$AH?._$AD===r)this._$AH.p(t);else{let e=new ce(r,this),n=e.u(this.options);e.p(t),this.T(n),this._$AH=e}}_$AC(e){let t=ae.get(e.strings);return t===void 0&&ae.set(e.strings,t=new b(e)),t}k(t){d(this._$AH)||(this._$AH=[],this._$AR());let n=this._$AH,r,i=0;for(let a of t)i===n.length?n.push(r=new e(this.O(l()),this.O(l()),this,this.options)):r=n[i],r._$AI(a),i++;i<n.length&&(this._$AR(r&&r._$AB.nextSibling,i),n.length=i)}_$AR(e=this._$AA.nextSibling,n){for(this._$AP?.(!1,!0,n);e!==this._$AB;){let n=t(e).nextSibling;t(e).remove(),e=n}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},S=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,n,r,i){this.type=1,this._$AH=v,this._$AN=void 0,this.element=e,this.name=t,this._$AM=r,this.options=i,n.length>2||n[0]!==``||n[1]!==``?(this._$AH=Array(n.length-1).fill(new String),this.strings=n):this._$AH=v}_$AI(e,t=this,n,r){let i=this.strings,a=!1;if(i===void 0)e=x(this,e,t,0),a=!u(e)||e!==this._$AH&&e!==_,a&&(this._$AH=e);else{let r=e,o,s;for(e=i[0],o=0;o<i.length-1;o++)s=x(this,r[n+o],t,o),s===_&&(s=this._$AH[o]),a||=!u(s)||s!==this._$AH[o],s===v?e=v:e!==v&&(e+=(s??``)+i[o+1]),this._$AH[o]=s}a&&!r&&this.j(e)}j(e){e===v?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??``)}},ue=class extends S{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===v?void 0:e}},de=class extends S{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==v)}},fe=class extends S{constructor(e,t,n,r,i){super(e,t,n,r,i),this.type=5}_$AI(e,t=this){if((e=x(this,e,t,0)??v)===_)return;let n=this._$AH,r=e===v&&n!==v||e.capture!==n.capture||e.once!==n.once||e.passive!==n.passive,i=e!==v&&(n===v||r);r&&this.element.removeEventListener(this.name,this,n),i&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH==`function`?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},pe=class{constructor(e,t,n){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=n}get _$AU(){return this._$AM._$AU}_$AI(e){x(this,e)}};const me=e.litHtmlPolyfillSupport;me?.(b,le),(e.litHtmlVersions??=[]).push(`3.3.3`);const he=(e,t,n)=>{let r=n?.renderBefore??t,i=r._$litPart$;if(i===void 0){let e=n?.renderBefore??null;r._$litPart$=i=new le(t.insertBefore(l(),e),e,void 0,n??{})}return i._$AI(e),i};function C(e){try{return window[e]}catch{let e=new Map;return{getItem:t=>e.get(t)??null,setItem:(t,n)=>void e.set(t,n),removeItem:t=>void e.delete(t)}}}const ge=C(`sessionStorage`),_e=C(`localStorage`),ve=`rollcall key ${new URL(`.`,document.baseURI).pathname}`,ye=()=>ge.getItem(ve)??``;function be(e){ge.setItem(ve,e.trim())}function xe(){ge.removeItem(ve)}const Se=`rollcall scheme`,Ce=document.documentElement,we=matchMedia(`(prefers-color-scheme: dark)`),Te=_e.getItem(Se);(Te===`light`||Te===`dark`)&&(Ce.dataset.scheme=Te);const Ee=()=>(Ce.dataset.scheme??(we.matches?`dark`:`light`))===`dark`?`dark`:`light`;function De(){let e=Ee()===`dark`?`light`:`dark`;Ce.dataset.scheme=e,_e.setItem(Se,e)}async function Oe(e){try{return await navigator.clipboard.writeText(e),!0}catch{return ke(e)}}function ke(e){let t=document.activeElement,n=document.createElement(`textarea`);n.value=e,n.className=`unseen`,document.body.append(n),n.select();let r=document.execCommand(`copy`);return n.remove(),t instanceof HTMLElement&&t.focus(),r}const Ae=64*2**20;var je=class extends Error{constructor(){super(`The response is larger than ${String(Ae/2**20)} MB.`)}};async function Me(e){let t=new TextDecoder,n=``,r=0,i=e.body?.getReader();for(;;){let{value:e}=await i?.read()??{};if(e===void 0)return n+t.decode();if(r+=e.length,r>Ae)throw await i?.cancel(),new je;n+=t.decode(e,{stream:!0})}}const{rawJSON:Ne,isRawJSON:Pe}=JSON;function Fe(e){return JSON.parse(e,(e,t,n)=>{let r=n?.source;return typeof t!=`number`||r===void 0||r===String(t)?t:Ne?.(r)??t})}const w=e=>T(JSON.stringify(e,null,2)),T=e=>e.replace(ze,Be);function E(e){return T((typeof e==`string`?e:JSON.stringify(e)).replace(Le,e=>Re[e]??e))}const Ie=e=>typeof e==`number`||Pe?.(e)===!0,D=e=>typeof e==`object`&&!!e&&!Array.isArray(e)&&Pe?.(e)!==!0,Le=/[\n\r\t]/g,Re={"\n":`\\n`,"\r":`\\r`,"	":`\\t`},ze=/(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,Be=e=>e.split(``).map(e=>`\\u${e.charCodeAt(0).toString(16).padStart(4,`0`)}`).join(``),Ve=/("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;function He(e,t){let n=[],r=0;for(let{0:i,1:a,2:o,index:s}of e.matchAll(Ve)){let c=o===void 0?a===void 0?`value`:`text`:`name`;n.push(e.slice(r,s),t(c,a??i),o??``),r=s+i.length}return[...n,e.slice(r)]}const O={id:`id`,data:`data`,hasMore:`has_more`,limit:`limit`,after:`after`,before:`before`};function Ue(e){if(!D(e)||!D(e.paths))throw TypeError(`This is not an OpenAPI document.`);let t=e,n=We(t),r=Object.keys(t.paths).flatMap(e=>Ge(t,n,e)??[]);if(r.length===0)throw TypeError(`The contract has no lists.`);let{title:i,version:a,description:o}=t.info??{};return{title:String(i),version:String(a),description:o??``,collections:r}}function We(e){let t=(n={})=>typeof n.$ref==`string`?t(n.$ref.split(`/`).slice(1).reduce((e,t)=>D(e)?e[t]:void 0,e)):n;return t}function Ge(e,t,n){let r=e.paths[n]?.get,i=t(Ye(t,r)?.properties?.[O.data]).items;if(r===void 0||i===void 0||n.includes(`{`))return;let a=(r.parameters??[]).map(t).filter(e=>e.in===`query`),o=t(a.find(e=>e.name===O.limit)?.schema),s=[O.limit,O.after,O.before],c=a.flatMap(({name:e=``,schema:n})=>{let r=t(n).enum;return s.includes(e)||!Array.isArray(r)?[]:[{name:e,label:A(e),values:r.map(String)}]}),[l=r.summary??n]=r.tags??[];return{path:n,operation:r.operationId,title:l,description:e.tags?.find(e=>e.name===l)?.description??``,noun:l.toLowerCase(),one:Qe((i.$ref??`record`).replace(/^.*\//,``)),filters:c,limit:{minimum:o.minimum??1,maximum:o.maximum??1/0,default:o.default??0},columns:Object.entries(t(i).properties??{}).flatMap(([e,n])=>Ze(t,e,n)),retrieval:Xe(e,n),idFormat:Ke(t(a.find(e=>e.name===O.after)?.schema))}}const Ke=({pattern:e,example:t})=>e===void 0?void 0:{pattern:new RegExp(e,`u`),example:String(t)},k=({idFormat:e},t)=>e?.pattern.test(t)!==!1,qe=({idFormat:e})=>e===void 0?`This is not an id.`:`This is not an id. An id looks like \`${e.example}\`.`,Je=({columns:e})=>e.find(({kind:e,isNullable:t})=>e===`value`&&!t);function Ye(e,t){let{content:n}=e(t?.responses?.[`200`]);return n===void 0?void 0:e(e(Object.values(n)[0]).schema)}function Xe(e,t){return Object.entries(e.paths).find(([e])=>e.startsWith(`${t}/{`)&&e.indexOf(`}`)===e.length-1)?.[1].get?.operationId}function Ze(e,t,n){let r=e(n);if(r.enum?.length===1)return[];let i=Object.values(r.properties??{}).map(e),a=i.length>0&&i.every(e=>e.type===`integer`);return[{name:t,label:A(t),kind:t===O.id?`id`:r.enum===void 0?et(r.example)===void 0?a?`counts`:`value`:`time`:`choice`,isNullable:r.nullable===!0}]}function A(e){let t=e.replaceAll(`_`,` `);return t===O.id?`ID`:t.charAt(0).toUpperCase()+t.slice(1)}const Qe=e=>e.replaceAll(/(?<=.)[A-Z]/g,` $&`).toLowerCase(),$e=/^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,3})?\d*(?:([+-]\d\d)(:\d\d)?|Z)$/;function et(e){let[,t,n,r=``,i=`+00`,a=`:00`]=$e.exec(String(e))??[];if(t===void 0)return;let o=new Date(`${t}T${String(n)}${r}${i}${a}`);return Number.isNaN(o.getTime())?void 0:o}const tt=`total`;function j({columns:e},t){let n=e.filter(({kind:e})=>e===`counts`).map(({name:e})=>t[e])[0],r=e.find(({kind:e,isNullable:t})=>e===`time`&&t);if(!D(n)||r===void 0)return;let{total:i,parts:a}=M(n);if(typeof i==`number`)return{done:a.reduce((e,[,t])=>e+(Number(t)||0),0),total:i,isRunning:t[r.name]===null}}function M({[tt]:e,...t}){return{total:e,parts:Object.entries(t)}}const nt=3e4;var N=class extends Error{title;status;requestId;retryAfter;excerpt;constructor(e,t,{status:n,requestId:r,retryAfter:i,excerpt:a}={}){super(t),this.title=e,this.status=n,this.requestId=r,this.retryAfter=i,this.excerpt=a}get isUnauthorized(){return this.status===401}get isPassing(){return this.status===void 0||this.status===429||this.status>=500}};const rt=(e,t)=>async(n,{signal:r,etag:i})=>{let a=AbortSignal.timeout(nt);try{let o={headers:{...t()===``?{}:{authorization:`Bearer ${t()}`},...i===void 0?{}:{"if-none-match":i}},cache:`no-store`,signal:AbortSignal.any([r,a])},s=await fetch(new URL(`.${n}`,e),o);return s.status===304?void 0:await it(s)}catch(e){throw r.throwIfAborted(),e instanceof N?e:e instanceof je?new N(`Too large`,e.message):a.aborted?new N(`No response`,`The server has not responded within ${String(nt/1e3)} seconds.`):new N(`Network failure`,`The server is unreachable, or the connection was closed.`)}};async function it(e){let{ok:t,status:n,headers:r}=e,i=await Me(e),a=at(i);if(t&&D(a))return{body:a,etag:r.get(`etag`)??void 0};let o={status:n,requestId:r.get(`x-request-id`)??void 0,retryAfter:ot(r.get(`retry-after`))};if(!t&&D(a)&&typeof a.name==`string`&&typeof a.message==`string`)throw new N(a.name,a.message,o);let s=i.slice(0,500);throw new N(`Unexpected response`,`The response does not come from the API. It starts with:`,{...o,excerpt:s})}function at(e){try{return Fe(e)}catch{return}}function ot(e){if(e===null)return;let t=/^\d+$/.test(e)?Number(e):(Date.parse(e)-Date.now())/1e3;return Number.isNaN(t)?void 0:Math.max(0,Math.ceil(t))}function P(e){if(D(e)&&typeof e[O.id]==`string`)return e;throw new N(`Unexpected response`,"A record in the response has no `id`.")}function st(e){let t=e?.[O.data];if(!Array.isArray(t))throw new N(`Unexpected response`,"The response has no `data`.");return t.map(P)}var ct=class{#e=new AbortController;async run(e,t){this.stop();let{signal:n}=this.#e=new AbortController;try{await e(n)}catch(e){n.aborted||t(e)}}stop(){this.#e.abort()}};const lt=1e3,ut=1e4,dt=6e4;async function ft(e,t,n,r=`changed`){let i=r===`idle`?ut:lt,a=!1;for(;;){await n(i);try{let n=await e();if(a&&t(void 0),a=!1,n===`over`)return;i=n===`idle`?ut:n===`changed`?lt:Math.min(i*1.5,5e3)}catch(e){if(!(e instanceof N)||!e.isPassing)throw e;a=!0,t(e);let n=Math.min(Math.max(i,lt)*2,dt);i=Math.max(n,Math.min((e.retryAfter??0)*1e3,dt*5))}}}function pt(e,t){let[,n=``,r=``]=/^#?([^?]*)\??(.*)$/s.exec(e)??[],i=new URLSearchParams(r);for(let e of t){if(n===e.path)return{collection:e,query:i,id:void 0};if(!n.startsWith(`${e.path}/`))continue;let t=mt(n.slice(e.path.length+1));if(t!==void 0&&![``,`.`,`..`].includes(t))return{collection:e,query:i,id:t}}}function mt(e){try{return e.includes(`/`)?void 0:decodeURIComponent(e)}catch{return}}const F=({path:e},t)=>t.size===0?e:`${e}?${t.toString()}`,I=({path:e},t)=>`${e}/${encodeURIComponent(t.toWellFormed())}`;function L({collection:e,query:t,id:n}){return`#${n===void 0?e.path:I(e,n)}${t.size===0?``:`?${t.toString()}`}`}function R(e,t){let n=new URLSearchParams(e),r={[O.after]:void 0,[O.before]:void 0,...t};for(let[e,t]of Object.entries(r))t===void 0?n.delete(e):n.set(e,t);return n}function ht(e,{ids:t,hasMore:n}){let[r,i]=[t[0],t.at(-1)],a=e.has(O.before)?n:e.has(O.after),o=e.has(O.before)||n;return{newer:a&&r!==void 0?R(e,{[O.before]:r}):void 0,older:o&&i!==void 0?R(e,{[O.after]:i}):void 0}}function gt(e,t,n,{limit:r}){let i=t.indexOf(n),[a,o]=[t[i-1],t[i+1]];return R(e,{...o===void 0?{[O.after]:a}:{[O.before]:o},[O.limit]:String(r.minimum)})}const _t=`ROLLCALL_API_KEY`,vt=e=>`curl -sS -H "Authorization: Bearer $${_t}" '${e.replaceAll(`'`,`'\\''`)}'`;function yt(e,t,{query:n=new URLSearchParams,id:r}){let i=`client.${bt(t)}`,a=r===void 0?`const page = await ${i}.list(${St(n)});`:`const ${xt(t.one)} = await ${i}.get(${z(r)});`,o=r===void 0?`page.data`:xt(t.one);return[`import { createClient } from '@rollcall/client';`,``,`// The key comes from ${_t}.`,`const client = createClient({ baseUrl: ${z(e.replace(/\/$/,``))} });`,a,`console.log(${o});`,``].join(`
`)}const bt=({operation:e})=>e.charAt(4).toLowerCase()+e.slice(5),xt=e=>e.replaceAll(/ (.)/g,(e,t)=>t.toUpperCase());function St(e){let t=[...new Map(e)].map(([e,t])=>`${/^[a-z_]\w*$/i.test(e)&&e!==`__proto__`?e:`[${z(e)}]`}: ${e===O.limit&&/^[1-9]\d{0,8}$/.test(t)?t:z(t)}`);return t.length===0?``:`{ ${t.join(`, `)} }`}const z=e=>`'${e.replaceAll(/[\\']/g,`\\$&`).replaceAll(/[^ -~]/gu,e=>Be(e))}'`;async function Ct(e,t,n){let{after:r,before:i}=O,a=e=>new URLSearchParams({[O.limit]:String(t),...e}),[o]=await n(a({[r]:e})),[s]=o===void 0?await n(a({[i]:e})):[],c=a(o===void 0?s===void 0?{}:{[r]:s.id}:{[i]:o.id}),l=(await n(c)).find(t=>t.id===e.toLowerCase());return l===void 0?void 0:{item:l,query:c}}function wt(e,t){if(e.retrieval!==void 0)return I(e,t);let n={[O.limit]:String(e.limit.minimum),[O.after]:t};return F(e,new URLSearchParams(n))}async function Tt(e,t,n){let r=async t=>(await n(wt(t,e)),t);try{return await Promise.any(t.filter(t=>k(t,e)).map(r))}catch(e){let t=e instanceof AggregateError?e.errors:[e];if(t.every(e=>e instanceof N&&e.status===404))return;throw t.find(e=>e instanceof N&&e.status!==404)??e}}var Et=class{isSearching=!1;problem;#e=new ct;#t;constructor(e){this.#t=e}find(e){let{collections:t,send:n,found:r,unauthorized:i}=this.#t,a=Dt(e);if(this.clear(),a!==``){if(!this.isComplete(e)){this.problem=t[0]===void 0?`This is not an id.`:qe(t[0]),this.#t.changed();return}this.isSearching=!0,this.#t.changed(),this.#e.run(async e=>{let i=await Tt(a,t,t=>n(t,{signal:e}));e.throwIfAborted(),this.isSearching=!1,i===void 0?this.problem=`Not found in this account.`:r(i,a),this.#t.changed()},e=>{this.isSearching=!1;let t=e instanceof N?e:new N(`Console error`,String(e));t.isUnauthorized?i(t):this.problem=t,this.#t.changed()})}}isComplete(e){return this.#t.collections.some(t=>k(t,Dt(e)))}clear(){this.#e.stop(),this.isSearching=!1,this.problem=void 0,this.#t.changed()}};const Dt=e=>e.replace(/^[\s"'`]+|[\s"'`,;]+$/g,``),Ot=[{keys:[`j`,`↓`],does:`Next row, or next record while one is open`,act:`next`},{keys:[`k`,`↑`],does:`Previous row or record`,act:`previous`},{keys:[`Enter`],does:`Open the record`},{keys:[`Esc`],does:`Close the record`,act:`close`},{keys:[`n`],does:`Newer page`,act:`newer`},{keys:[`o`],does:`Older page`,act:`older`},{keys:[`/`],does:`Find by id`,act:`find`},{keys:[`c`],does:`Copy the id of the record`,act:`copy`},{keys:[`r`],does:`Refresh`,act:`reload`},{keys:[`?`],does:`Show keyboard shortcuts`,act:`help`}],kt={ArrowDown:`↓`,ArrowUp:`↑`,Escape:`Esc`},At=e=>Ot.find(({keys:t})=>t.includes(kt[e]??e))?.act,jt=C(`localStorage`),Mt=`rollcall keys`,Nt=()=>jt.getItem(Mt)!==`off`;function Pt(e){jt.setItem(Mt,e?`on`:`off`)}function Ft(e){let{key:t,target:n,ctrlKey:r,metaKey:i,altKey:a,isComposing:o}=e;if(!(e.defaultPrevented||r||i||a||o)&&!(!(n instanceof Element)||n.closest(`dialog`)!==null)){if(t===`Escape`)return`close`;if(n.closest(`input, select, textarea`)===null)return t.startsWith(`Arrow`)?n.closest(`tbody`)===null?void 0:At(t):Nt()?At(t):void 0}}const It=()=>[...document.querySelectorAll(`tbody tr`)],Lt=e=>It().find(t=>t.dataset.id===e.toLowerCase())?.querySelector(`a`)??void 0;function B(e){document.querySelector(e)?.focus()}function Rt(){let e=``;return()=>{let t=document.querySelector(`nav [aria-current]`);t===null||t.textContent===e||(e=t.textContent,t.scrollIntoView({block:`nearest`,inline:`center`}))}}function zt(){let e,t=Rt();return(n,r,i)=>{let a=document.activeElement??document.body,o=a.closest(`tbody tr`),s=o?.dataset.id;i(),t();let c=e;e={route:n,hasSession:r},c!==void 0&&(r&&!c.hasSession?B(n?.id===void 0?`h1`:`#record-title`):n?.id!==c.route?.id&&n?.id!==void 0?B(`#record-title`):n?.id===void 0&&c.route?.id!==void 0?(Lt(c.route.id)??document.querySelector(`h1`))?.focus():s!==void 0&&o?.dataset.id!==s?Lt(s)?.focus():a!==document.body&&document.activeElement===document.body&&B(`h1`))}}function Bt(e,t,n){switch(e){case`next`:return Ut(1,t,n);case`previous`:return Ut(-1,t,n);case`newer`:case`older`:return Vt(`[data-step="${e}"][href]`);case`find`:return B(`#find`),!0;case`copy`:return Ht(t,n);case`reload`:return n.reload(),!0;case`help`:return n.help(),!0;case`close`:return n.close(),t?.id!==void 0}}function Vt(e){let t=document.querySelector(e);return t?.click(),t!==null}function Ht(e,t){let n=e?.id??document.activeElement?.closest(`tbody tr`)?.dataset.id;return n!==void 0&&t.copy(`id`,n),n!==void 0}function Ut(e,t,n){let r=It(),i=document.activeElement?.closest(`tbody tr`),a=r.findIndex(e=>t?.id===void 0?e===i:e.dataset.id===t.id.toLowerCase()),o=(a===-1?r[e===1?0:r.length-1]:r[a+e])?.dataset.id;return o===void 0?!1:(t?.id===void 0?Lt(o)?.focus():n.go(L({...t,id:o})),!0)}const Wt=C(`localStorage`),Gt=`rollcall refresh`,Kt=new EventTarget,qt=()=>Wt.getItem(Gt)!==`off`;function Jt(e){Wt.setItem(Gt,e?`on`:`off`),Kt.dispatchEvent(new Event(`change`))}function Yt(e){return async t=>{for(await Xt(e,e=>{let n=setTimeout(e,t);return()=>{clearTimeout(n)}});document.hidden||!qt();)await Xt(e,e=>(document.addEventListener(`visibilitychange`,e),Kt.addEventListener(`change`,e),()=>{document.removeEventListener(`visibilitychange`,e),Kt.removeEventListener(`change`,e)}))}}function Xt(e,t){return new Promise((n,r)=>{e.throwIfAborted();let i=()=>{o(),e.removeEventListener(`abort`,a),n()},a=()=>{o(),r(e.reason)},o=t(i);e.addEventListener(`abort`,a,{once:!0})})}const Zt=(e,{body:t,etag:n})=>({route:e,target:F(e.collection,e.query),items:st(t),hasMore:t[O.hasMore]===!0,body:t,etag:n});function Qt(e,t){if(e.items.every((e,n)=>e.id===t.items[n]?.id))return t;let n=new Map(t.items.map(e=>[e.id,e])),r=e.items.map(e=>n.get(e.id)??e);return{...e,items:r,body:{...e.body,[O.data]:r},etag:t.etag,next:t}}function $t({items:e,next:t}){if(t===void 0)return``;let n=new Set(e.map(e=>e.id)),r=t.items.findIndex(e=>n.has(e.id));return r===-1?t.items.length===0?`List changed`:`${String(t.items.length)}+ new`:r===0?`List changed`:`${String(r)} new`}const en=({route:e,items:t,next:n})=>(n?.items??t).some(t=>j(e.collection,t)?.isRunning);var tn=class{#e=new Map;add(e,{ids:t,hasMore:n,after:r,isFromHead:i,isFiltered:a}){let o=this.#e.get(e)??{ids:new Set,reached:new Set,isWhole:!1};this.#e.set(e,o);for(let e of t)o.ids.add(e);if(!a&&(i||r!==void 0&&o.reached.has(r))){for(let e of t)o.reached.add(e);o.isWhole||=!n}}label(e){let t=this.#e.get(e);return t===void 0?``:`${String(t.ids.size)}${t.isWhole?``:`+`}`}},nn=class{seen=new tn;page;record;failures={};waiting=new Set;#e=new ct;#t=new ct;#n=``;#r=Promise.resolve();#i;constructor(e){this.#i=e}go(e){F(e.collection,e.query)!==this.#n&&this.#a(e);let{collection:t,id:n}=e;n===void 0?this.#l():(this.record?.id!==n||this.record.collection!==t)&&this.#o(t,n)}reload(e){this.#a(e),e.id!==void 0&&this.#o(e.collection,e.id)}showNext(){this.page?.next!==void 0&&this.#p(this.page.next)}leave(){this.stop(),this.#n=``,this.record=void 0}stop(){this.#e.stop(),this.#t.stop()}#a(e){let{collection:t}=e,n=this.#n=F(t,e.query);this.page?.route.collection!==t&&(this.page=void 0),this.failures.page=void 0;let{promise:r,resolve:i}=Promise.withResolvers();this.#r=r,this.#e.run(async t=>{let r=await this.#d(n,t);this.#p(Zt(e,r)),i(void 0);let a=e=>this.page===void 0||!en(this.page)?`idle`:e?`changed`:`unchanged`;await ft(async()=>{let r=await this.#i.send(n,{signal:t,etag:this.page?.etag});return t.throwIfAborted(),r!==void 0&&this.page!==void 0&&this.#p(Qt(this.page,Zt(e,r))),a(r!==void 0)},this.#u(`page`),this.#i.pause(t),a(!0))},e=>{this.page?.target!==n&&(this.page=void 0),this.#_(`page`,e),i(void 0)})}#o(e,t){if(this.record={collection:e,id:t},this.#h(),this.failures.record=void 0,!k(e,t)){this.#t.stop(),this.failures.record=new N(`Malformed id`,qe(e),{status:422});return}let n=e.retrieval===void 0?this.#c(e,t):this.#s(e,t);this.#t.run(n,e=>{this.#_(`record`,e)})}#s(e,t){let n=I(e,t);return async r=>{let i=await this.#f(n,r);i!==void 0&&this.#m(P(i.body),i.etag);let a=()=>this.record?.item===void 0||j(e,this.record.item)?.isRunning!==!0;a()||await ft(async()=>{let e=this.#g(t)?void 0:await this.#i.send(n,{signal:r,etag:this.record?.etag});return r.throwIfAborted(),e!==void 0&&this.#m(P(e.body),e.etag),a()?`over`:e===void 0?`unchanged`:`changed`},this.#u(`record`),this.#i.pause(r))}}#c(e,t){return async n=>{if(await this.#r,n.throwIfAborted(),this.#h(),this.record?.item===void 0){let r=await Ct(t,e.limit.minimum,async t=>st((await this.#f(F(e,t),n))?.body));if(r===void 0)throw new N(`No result`,`The list changed during the search.`);this.record={collection:e,id:t,...r}}this.#i.changed()}}#l(){this.#t.stop(),this.record=void 0,this.failures.record=void 0}#u(e){return t=>{this.failures[e]=t,this.#i.changed()}}async#d(e,t){for(;;)try{let n=await this.#f(e,t);if(this.failures.page=void 0,n!==void 0)return n}catch(e){if(!(e instanceof N)||!e.isPassing||e.retryAfter===void 0)throw e;this.#u(`page`)(e),await this.#i.pause(t)(Math.min(e.retryAfter*1e3,3e5))}}async#f(e,t){this.waiting.add(e),this.#i.changed();try{let n=await this.#i.send(e,{signal:t});return t.throwIfAborted(),n}finally{this.waiting.delete(e),this.#i.changed()}}#p(e){this.page=e;let{items:t,hasMore:n,route:r}=e,{query:i,collection:a}=r,o=i.get(O.after)??void 0;this.seen.add(a.path,{ids:t.map(e=>e.id),hasMore:n,after:o,isFromHead:o===void 0&&!i.has(O.before),isFiltered:a.filters.some(e=>i.has(e.name))}),this.#h(),this.#i.changed()}#m(e,t){this.record!==void 0&&(this.record={...this.record,item:e,etag:t});let{page:n}=this;n!==void 0&&this.#g(e.id)&&(this.page={...n,items:n.items.map(t=>t.id===e.id?e:t)}),this.#i.changed()}#h(){let{record:e,page:t}=this;if(e===void 0||t?.route.collection!==e.collection)return;let n=e.id.toLowerCase(),r=t.items.find(e=>e.id===n);if(r===void 0)return;let i=t.items.map(e=>e.id);this.record={...e,item:r,query:gt(t.route.query,i,n,e.collection)}}#g(e){let{page:t,record:n}=this;return t===void 0||t.route.collection!==n?.collection?!1:t.items.some(t=>t.id===e.toLowerCase())}#_(e,t){let n=t instanceof N?t:new N(`Console error`,String(t));n.isUnauthorized?this.#i.unauthorized(n):this.failures[e]=n,this.#i.changed()}};function rn({kind:e},t,{isBrief:n=!1}={}){if(t==null)return g`<span class="none" role="img" aria-label="none">–</span>`;if(t===``)return g`<span class="none">empty</span>`;let r=E(t);if(e===`choice`)return g`<span class="badge" data-tone=${ln(r)}>${r.replaceAll(`_`,` `)}</span>`;let i=e===`time`?et(t):void 0;if(i!==void 0)return g`<time datetime=${i.toISOString()} title=${r}
      >${(n?an:on).format(i)}</time
    >`;if(e===`counts`&&D(t))return un(t);if(Ie(t))return g`<span class="number">${r}</span>`;let a=r.length>160;return g`<bdi title=${a?`Truncated. The JSON of the record shows the full value.`:v}
    >${a?`${r.slice(0,160)}…`:r}</bdi
  >`}const an=new Intl.DateTimeFormat(void 0,{dateStyle:`medium`,timeStyle:`short`}),on=new Intl.DateTimeFormat(void 0,{dateStyle:`medium`,timeStyle:`medium`}),{timeZone:sn}=on.resolvedOptions(),cn={bad:/\b(fail|failed|error|rejected|blocked|expired)\b/,busy:/\b(in progress|running|processing)\b/,good:/\b(enabled|active|completed|done|succeeded|ok)\b/};function ln(e){let t=e.replaceAll(/[_-]/g,` `);return Object.keys(cn).find(e=>cn[e]?.test(t))??`plain`}function un(e){let{total:t,parts:n}=M(e),r=n.filter(([,e])=>e!==0);return g`<span class="counts"
    >${r.length===0?g`<span class="none">${V(t??0)}</span>`:r.map(([e,t])=>g`<span>${V(t)} ${e}</span>`)}</span
  >`}function dn(e,t,n){let r=n[t.name];if(t.kind!==`counts`||!D(r)||j(e,n)===void 0)return rn(t,r,{isBrief:!0});let i=M(r).parts.filter(([e,t])=>ln(e)===`bad`&&t!==0);return g`${pn(e,n)}${i.map(([e,t])=>g`<span class="bad">${V(t)} ${e}</span>`)}`}const V=e=>typeof e==`number`?e.toLocaleString():E(e),fn=e=>e.length>9?`${E(e.slice(0,8))}…`:E(e);function pn(e,t){let n=j(e,t);if(n===void 0)return v;let{done:r,total:i,isRunning:a}=n;return g`<span class="progress" data-running=${a}>
    <progress
      aria-label="Progress of ${e.one} ${fn(t.id)}"
      value=${r}
      max=${Math.max(i,1)}
    ></progress>
    <span class="number">${r===i?V(i):`${V(r)} of ${V(i)}`}</span>
  </span>`}const H=e=>e.split("`").map((e,t)=>t%2==1?g`<code>${E(e)}</code>`:E(e));function mn({message:e,acts:t},n,r){return g`<div class="copy" role="group" aria-label="Copy the ${n} as">
    <span aria-hidden="true">Copy</span>
    ${Object.entries(r).map(([r,i])=>{let a=`${n} as ${r}`;return g`<button
        type="button"
        class=${e===`Copied: ${a}`?`copied`:``}
        @click=${()=>{t.copy(a,i())}}
      >
        ${r}
      </button>`})}
  </div>`}function hn(e){let{problem:t}=e;return g`<search class="find">
    <form @submit=${t=>{t.preventDefault(),e.find(_n(t)?.value??``)}}>
      <label class="unseen" for="find">Find by id</label>
      <input
        id="find"
        type="search"
        placeholder="Find by id"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        aria-keyshortcuts="/"
        aria-describedby="found"
        aria-invalid=${t===void 0?v:`true`}
        @input=${t=>{let n=_n(t)?.value??``;e.isComplete(n)?e.find(n):e.clear()}}
      />
      <button type="submit">Find</button>
    </form>
    <p id="found" role="status">${e.isSearching?`Searching…`:gn(t)}</p>
  </search>`}function gn(e){if(e===void 0)return v;if(typeof e==`string`)return g`<span class="rejection">${H(e)}</span>`;let{status:t,title:n,message:r}=e;return g`<span class="rejection"><strong>${t} ${E(n)}</strong> ${H(r)}</span>`}function _n({currentTarget:e}){if(!(e instanceof Element))return;let t=e.parentElement?.querySelector(`#find`);return t instanceof HTMLInputElement?t:void 0}function U(e,{again:t,links:n=[]}){let{title:r,message:i,status:a,requestId:o,retryAfter:s,excerpt:c}=e;return g`<section class="problem" role="alert">
    <h2>${a===void 0?v:g`<span class="code">${a}</span> `}${E(r)}</h2>
    <p>${H(i)}</p>
    ${c===void 0?v:g`<pre class="excerpt" tabindex="0">${T(c.replaceAll(`\r
`,`
`).replaceAll(`	`,`  `))||`(empty)`}</pre>`}
    ${o===void 0?v:g`<p class="quiet">X-Request-Id <code>${o}</code></p>`}
    ${s===void 0?v:g`<p class="quiet">Retry-After <code>${s}</code> s</p>`}
    <p class="ways">
      ${t===void 0?v:g`<button type="button" @click=${t}>Try again</button>`}
      ${n.map(({href:e,text:t})=>g`<a href=${e}>${t}</a>`)}
    </p>
  </section>`}function vn(e,{collection:t,query:n},r){let i=n.get(O.after)??n.get(O.before),a=(e,n)=>({text:e,href:L({collection:t,query:n,id:void 0})}),{status:o,requestId:s}=e;if(o===404&&i!==null){let e=`This link points to a page next to ${bn(t.one)} that is not in this account.`,i=[a(`Go to the first page`,R(n,{}))];return U(new N(`Page not found`,e,{requestId:s}),{again:r,links:i})}if(o!==422)return U(e,{again:r});let c=a(`Reset filters`,new URLSearchParams);return i===null||k(t,i)?U(e,{links:[c]}):U(new N(`Page not found`,`This link points to a page next to \`${i}\`, which is not an id.`,{requestId:s}),{links:[c]})}function yn(e,{one:t},n){let{status:r,title:i,message:a,requestId:o}=e;return r===422?U(new N(i,a,{requestId:o}),{}):U(r===404?new N(`Not found in this account`,`No ${t} in this account has this id.`,{requestId:o}):e,{again:n})}const bn=e=>`${/^[aeiou]/.test(e)?`an`:`a`} ${e}`;function xn(e,t,n){let{collection:r,query:i}=n,{page:a,failures:o}=t,s=a?.target!==F(r,i);return g`
    <h1 tabindex="-1">${r.title}</h1>
    <p class="quiet">${H(r.description)}</p>
    ${wn(e,n,a)}
    ${o.page===void 0?v:vn(o.page,n,e.acts.reload)}
    <div class="news" role="status">${Sn(a,e.acts.show)}</div>
    ${a===void 0?v:g`<div class="list" aria-busy=${s}>${Tn(a,n)}</div>`}
    ${a===void 0?v:kn(t,a,n)}
  `}function Sn(e,t){let n=e===void 0?``:$t(e);return n===``?v:g`<button type="button" class="primary" @click=${t}>${n}: show</button>`}const Cn=[5,10,25,50,100];function wn(e,{collection:t,query:n},r){let{acts:i,base:a}=e,o=e=>({target:r})=>{if(!(r instanceof HTMLSelectElement))return;let a=R(n,{[e]:r.value===``?void 0:r.value});i.go(L({collection:t,query:a,id:void 0}))},s=(e,t,r,i)=>{let a=n.get(e)??``,s=a===``||r.includes(a)?r:[...r,a];return g`<label class="field"
      ><span>${t}</span>
      <select data-name=${e} @change=${o(e)}>
        <option value="" ?selected=${a===``} .selected=${a===``}>${i}</option>
        ${s.map(e=>g`<option value=${e} .selected=${e===a}>${E(e).replaceAll(`_`,` `)}</option>`)}
      </select></label
    >`},{minimum:c,maximum:l,default:u}=t.limit,d=[...new Set([...Cn,l])].filter(e=>e>=c&&e<=l&&e!==u),f=new URL(`.${F(t,n)}`,a).href;return g`<div class="controls">
    ${t.filters.map(({name:e,label:t,values:n})=>s(e,t,n,`All`))}
    ${s(O.limit,`Page size`,d.map(String),String(u))}
    <button type="button" @click=${i.reload} aria-keyshortcuts="r">Refresh</button>
    <label class="switch" title="Refreshes the list by itself while this tab is visible">
      <input
        type="checkbox"
        role="switch"
        .checked=${e.isRefreshOn}
        @change=${({target:e})=>{i.refresh(e instanceof HTMLInputElement&&e.checked)}}
      />
      Auto-refresh
    </label>
    ${mn(e,`page`,{curl:()=>vt(f),"client code":()=>yt(a,t,{query:n}),...r===void 0?{}:{JSON:()=>w(r.body)}})}
  </div>`}const Tn=(e,t)=>e.items.length===0?En(e.route):Dn(e,t);function En({collection:e,query:t}){let{noun:n,filters:r}=e,i=r.some(e=>t.has(e.name)),[a]=[t.has(O.after)?`older`:``,t.has(O.before)?`newer`:``].filter(Boolean),o=(t,n)=>g`<p><a href=${L({collection:e,query:t,id:void 0})}>${n}</a></p>`;return a===void 0?i?g`<div class="empty">
    <p>No ${n} match the filter.</p>
    ${o(R(t,Object.fromEntries(r.map(e=>[e.name,void 0]))),`Show all ${n}`)}
  </div>`:g`<div class="empty"><p>This account has no ${n}.</p></div>`:g`<div class="empty">
      <p>${i?`No ${a} ${n} match the filter.`:`No ${a} ${n}.`}</p>
      ${o(R(t,{}),`Go to the first page`)}
    </div>`}function Dn({items:e,route:{collection:t,query:n}},{id:r}){let{columns:i,noun:a}=t,o=Je(t),s=(e,n,r)=>{if(e.kind===`id`)return v;let i=dn(t,e,n);return g`<td role="cell" data-kind=${e.kind} data-label=${e.label}>
      ${e===o?g`<a class="name" href=${r}>${i}</a>`:i}
    </td>`};return g`<table role="table">
    <caption class="unseen">
      ${a}, newest first
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        <th role="columnheader" scope="col">${A(O.id)}</th>
        ${i.map(({kind:e,label:t})=>e===`id`?v:g`<th role="columnheader" scope="col" data-kind=${e}>${t}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${e.map(e=>{let a=L({collection:t,query:n,id:e.id}),o=r?.toLowerCase()===e.id;return g`<tr role="row" data-id=${e.id} aria-current=${o?`true`:v} @click=${On}>
      <th role="rowheader" scope="row">
        <a href=${a} title=${e.id}><code>${fn(e.id)}</code></a>
      </th>
      ${i.map(t=>s(t,e,a))}
    </tr>`})}
    </tbody>
  </table>`}function On({target:e,currentTarget:t}){!(e instanceof Element)||!(t instanceof Element)||e.closest(`a`)!==null||getSelection()?.isCollapsed===!1||t.querySelector(`a`)?.click()}function kn(e,{items:t,hasMore:n,route:{collection:r,query:i}},a){let{newer:o,older:s}=ht(i,{ids:t.map(e=>e.id),hasMore:n}),c=i.has(O.after)||i.has(O.before),l=(e,t,n)=>n===void 0?g`<a class="step" role="link" aria-disabled="true" data-step=${t}>${e}</a>`:g`<a class="step" data-step=${t} href=${L({collection:r,query:n,id:void 0})} @click=${An}
          >${e}</a
        >`;return g`<nav class="foot" aria-label="Pages">
    <p class="quiet">
      ${jn(e,a)}<span class="zone"
        >Times are in ${sn}. Hover over a time to see the API's value.</span
      >
    </p>
    <div class="steps">
      ${l(`First`,`first`,c?R(i,{}):void 0)} ${l(`← Newer`,`newer`,o)}
      ${l(`Older →`,`older`,s)}
    </div>
  </nav>`}function An(){scrollTo(0,0)}function jn(e,t){let n=e?.page;if(n===void 0||t===void 0||e?.waiting.has(n.target)===!0)return``;let{noun:r,one:i}=n.route.collection,{query:a}=n.route,o=n.items.length,s=a.has(O.before)?`newer`:`older`;if(o===0)return`No ${r}.`;let c=n.hasMore?`${A(s)} ones available.`:`No ${s} ones.`;return`Showing ${String(o)} ${o===1?i:r}, newest first. ${c}`}function Mn(e,{record:t,failures:n},r){let{collection:i,id:a=``}=r,o=t?.item;return g`<aside class="record" aria-labelledby="record-title">
    <header>
      <h2 id="record-title" tabindex="-1">
        <span class="kind">${i.one}</span>
        <code>${E(a)}</code>
      </h2>
      ${Nn(e,a)}
      <a class="close" href=${L({...r,id:void 0})} aria-label="Close the record" title="Close (Esc)"
        >✕</a
      >
    </header>
    <div class="body">
      ${n.record===void 0?v:yn(n.record,i,e.acts.reload)}
      ${t===void 0||o===void 0?v:Pn(e,t,o)}
    </div>
  </aside>`}const Nn=({message:e,acts:t},n)=>g`<button
    type="button"
    class=${e===`Copied: id`?`copy-id copied`:`copy-id`}
    aria-keyshortcuts="c"
    @click=${()=>{t.copy(`id`,n)}}
  >
    Copy id
  </button>`;function Pn(e,t,n){let{collection:r}=t;return g`
    ${pn(r,n)}
    <dl class="properties">${r.columns.map(e=>Fn(e,n[e.name]))}</dl>
    <div class="json-head">
      <h3>JSON</h3>
      ${mn(e,r.one,In(e.base,t,n))}
    </div>
    <pre class="json" tabindex="0">
${He(w(n),(e,t)=>g`<span class=${e}>${t}</span>`)}</pre>
  `}function Fn(e,t){let{kind:n,label:r}=e;if(n===`id`)return v;if(n===`counts`&&D(t)){let{total:e,parts:n}=M(t);return g`<div class="tallies">
      <dt>${r}</dt>
      <dd>
        <ul>
          ${[...n,[tt,e]].map(([e,t])=>g`<li><span>${V(t)}</span> ${e}</li>`)}
        </ul>
      </dd>
    </div>`}let i=n===`time`&&typeof t==`string`?g`<code class="exact">${E(t)}</code>`:v;return g`<div>
    <dt>${r}</dt>
    <dd>${rn(e,t)} ${i}</dd>
  </div>`}function In(e,{collection:t,id:n,query:r=new URLSearchParams},i){let a=t.retrieval!==void 0,o=a?I(t,n):F(t,r);return{curl:()=>vt(new URL(`.${o}`,e).href),"client code":()=>yt(e,t,a?{id:n}:{query:r}),JSON:()=>w(i)}}const Ln=matchMedia(`(width < 50rem)`);function Rn(e){let{session:t,route:n}=e,r=t===void 0||n?.id===void 0?v:Mn(e,t,n),i=r!==v&&Ln.matches;return g`
    <a class="skip" href="#content" @click=${zn}>Skip to content</a>
    ${Vn(e,i)}
    <div class=${r===v?`desk`:`desk with-record`}>
      <main id="content" tabindex="-1" ?inert=${i}>
        ${e.finder===void 0?v:hn(e.finder)} ${Bn(e)}
      </main>
      ${r}
    </div>
    ${Un(e)} ${Kn(e)}
  `}function zn(e){e.preventDefault(),document.getElementById(`content`)?.focus()}function Bn(e){let{session:t,route:n}=e;return t===void 0?Wn(e):n===void 0?Hn(e):xn(e,t,n)}function Vn({contract:e,route:t,session:n,acts:r},i){let a=Ee()===`dark`;return g`<header class="top" ?inert=${i}>
    <a class="brand" href="#">${e.title} <span>console</span></a>
    <nav class="tabs" aria-label="Collections">
      <ul>
        ${n===void 0?v:e.collections.map(e=>{let r=t?.collection===e,i=n?.seen.label(e.path)??``;return g`<li>
      <a
        href=${L({collection:e,query:new URLSearchParams,id:void 0})}
        aria-current=${r?`page`:v}
        >${e.title}${i===``?v:g` <span class="count" title="Seen so far">${i}<span class="unseen"> seen</span></span>`}</a
      >
    </li>`})}
      </ul>
    </nav>
    <div class="tools">
      <a class="tool" href="docs">Reference</a>
      <button class="tool wide" type="button" @click=${r.help} aria-keyshortcuts="?">Keyboard shortcuts</button>
      <button class="tool" type="button" @click=${r.scheme}>${a?`Light`:`Dark`}</button>
      ${n===void 0?v:g`<button class="tool" type="button" @click=${r.forget}>Sign out</button>`}
    </div>
  </header>`}function Hn({hash:e,contract:t}){let[n]=t.collections;return g`<section class="problem" role="alert">
    <h1>Page not found</h1>
    <p>The API has no list or record at <code>${E(e.replace(/^#/,``))}</code>.</p>
    ${n===void 0?v:g`<p>
            <a href=${L({collection:n,query:new URLSearchParams,id:void 0})}>${n.title}</a>
          </p>`}
  </section>`}function Un({session:e,route:t,message:n}){let r=[...e?.waiting??[]];return g`
    <p class=${n===``?`unseen`:`toast`} role="status">
      ${n===``?jn(e,t):n}
    </p>
    <p class="waiting" ?hidden=${r.length===0} aria-hidden="true">
      ${r.map(e=>g`<span>Loading ${E(e)}</span>`)}
    </p>
  `}function Wn({contract:e,route:t,hash:n,rejection:r,acts:i}){let a=e=>{e.preventDefault();let t=document.getElementById(`key`);t instanceof HTMLInputElement&&i.enter(t.value)},[o=``]=e.description.split(/(?<=\.)\s/);return g`<section class="ask">
    <h1>${e.title} console</h1>
    <p class="lead">${H(o)}</p>
    <form @submit=${a} novalidate>
      <label for="key">API key</label>
      <div class="line">
        <input
          id="key"
          type="password"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          aria-describedby=${r===void 0?`key-note`:`key-rejection key-note`}
          aria-invalid=${r===void 0?v:`true`}
          autofocus
        />
        <button class="primary" type="submit">Sign in</button>
      </div>
      ${r===void 0?v:Gn(r)}
      <p id="key-note" class="quiet">
        The key is stored in this tab until you close the tab or sign out. It is sent only to this server, and never
        appears in links or in copied text.
      </p>
    </form>
    ${t===void 0?v:g`<p class="quiet">Signing in opens <code>${E(n.slice(1))}</code>.</p>`}
    <p class="quiet">
      The API contract, version ${e.version}: <a href="openapi.yaml">openapi.yaml</a
      ><span class="of-reference">, <a href="docs">API reference</a></span
      >.
    </p>
  </section>`}function Gn(e){if(typeof e==`string`)return g`<p id="key-rejection" class="rejection" role="alert">${e}</p>`;let{status:t,title:n,message:r,requestId:i}=e;return g`<p id="key-rejection" class="rejection" role="alert">
    <strong>${t} ${E(n)}</strong> ${H(r)}
    ${i===void 0?v:g`<br /><small>X-Request-Id <code>${i}</code></small>`}
  </p>`}const Kn=({areKeysOn:e})=>g`<dialog id="keys" aria-labelledby="keys-title">
    <h2 id="keys-title">Keyboard shortcuts</h2>
    <dl>
      ${Ot.map(({keys:e,does:t})=>g`<div>
            <dt>${e.map(e=>g`<kbd>${e}</kbd> `)}</dt>
            <dd>${t}</dd>
          </div>`)}
    </dl>
    <p>
      <label
        ><input
          type="checkbox"
          .checked=${e}
          @change=${({target:e})=>{Pt(e instanceof HTMLInputElement&&e.checked)}}
        />
        Enable keyboard shortcuts. Disable them if they interfere with speech input.</label
      >
    </p>
    <form method="dialog"><button class="primary">Close</button></form>
  </dialog>`,qn=(e,t)=>g`<main class="notice">
    <h1>Rollcall console</h1>
    ${e===void 0?g`<p role="status">Loading the API contract.</p>`:U(e,{again:t})}
  </main>`,Jn=/^[!-~]+$/,Yn=new URL(`.`,document.baseURI).href,W=rt(Yn,ye),Xn=document.getElementById(`console`)??document.body;let G,K,q,J,Y=``;const Zn=zt(),X=()=>pt(location.hash,G?.collections??[]),Z={go:e=>{location.hash=e},reload:()=>{let e=X();e!==void 0&&K?.reload(e)},enter:e=>{let t=e.trim().replace(/^(authorization:\s*)?bearer(\s+|$)/i,``);if(!Jn.test(t)){J=t===``?`Paste an API key.`:`This is not an API key. API keys contain no spaces, line breaks or non-ASCII characters.`,$();return}be(t),J=void 0,$n()},forget:()=>{tr(void 0)},scheme:()=>{De(),$()},copy:(e,t)=>{Oe(t).then(t=>{Qn(t?`Copied: ${e}`:`The browser blocked copying.`)})},show:()=>{K?.showNext(),scrollTo(0,0)},refresh:e=>{Jt(e),$()},help:()=>{let e=document.getElementById(`keys`);e instanceof HTMLDialogElement&&e.showModal()},close:()=>{let e=X();e?.id!==void 0&&Z.go(L({...e,id:void 0}))}};function Qn(e){Y=e,$(),setTimeout(()=>{Y===e&&(Y=``),$()},2e3)}function $n(){K=new nn({send:W,pause:Yt,changed:$,unauthorized:tr});let{collections:e=[]}=G??{};q=new Et({collections:e,send:W,changed:$,found:er,unauthorized:tr}),nr()}function er(e,t){let n=document.getElementById(`find`);n instanceof HTMLInputElement&&(n.value=``);let r=X();Z.go(L({collection:e,query:r?.collection===e?r.query:new URLSearchParams,id:t}))}function tr(e){K?.stop(),q?.clear(),K=q=void 0,xe(),J=e,$(),document.getElementById(`key`)?.focus()}function nr(){let[e]=G?.collections??[];if(K!==void 0&&e!==void 0&&/^#?$/.test(location.hash)){location.replace(L({collection:e,query:new URLSearchParams,id:void 0}));return}let t=X();t===void 0?K?.leave():K?.go(t),$()}function Q(e){Xn.querySelector(`main.notice:has(noscript)`)?.remove(),he(e,Xn)}function $(){if(G===void 0)return;let e=X(),t=e?.id===void 0?e?.collection.title:`${A(e.collection.one)} ${fn(e.id)}`;document.title=t===void 0?`${G.title} console`:`${t} · ${G.title} console`;let n={contract:G,route:e,hash:location.hash,session:K,finder:q,rejection:J,message:Y,areKeysOn:Nt(),isRefreshOn:qt()};Zn(e,K!==void 0,()=>{Q(Rn({base:Yn,acts:Z,...n}))})}addEventListener(`hashchange`,nr),Ln.addEventListener(`change`,$),addEventListener(`keydown`,e=>{let t=Ft(e);t===void 0||K===void 0||Bt(t,X(),Z)&&e.preventDefault()});async function rr(){let e=()=>void rr();Q(qn(void 0,e));try{G=Ue((await W(`/openapi.json`,{signal:new AbortController().signal}))?.body)}catch(t){Q(qn(t instanceof N?t:new N(`Invalid contract`,t instanceof Error?t.message:String(t)),e));return}ye()===``?$():$n()}rr();