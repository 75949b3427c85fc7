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
\f\r]`,m=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,h=/-->/g,ee=/>/g,g=RegExp(`>|${p}(?:([^\\s"'>=/]+)(${p}*=${p}*(?:[^ \t\n\f\r"'\`<>=]|("|')|))|$)`,`g`),te=/'/g,ne=/"/g,re=/^(?:script|style|textarea|title)$/i,_=(e=>(t,...n)=>({_$litType$:e,strings:t,values:n}))(1),v=Symbol.for(`lit-noChange`),y=Symbol.for(`lit-nothing`),ie=new WeakMap,b=c.createTreeWalker(c,129);function ae(e,t){if(!d(e)||!e.hasOwnProperty(`raw`))throw Error(`invalid template strings array`);return r===void 0?t:r.createHTML(t)}const oe=(e,t)=>{let n=e.length-1,r=[],o,c=t===2?`<svg>`:t===3?`<math>`:``,l=m;for(let t=0;t<n;t++){let n=e[t],u,d,f=-1,p=0;for(;p<n.length&&(l.lastIndex=p,d=l.exec(n),d!==null);)p=l.lastIndex,l===m?d[1]===`!--`?l=h:d[1]===void 0?d[2]===void 0?d[3]!==void 0&&(l=g):(re.test(d[2])&&(o=RegExp(`</`+d[2],`g`)),l=g):l=ee:l===g?d[0]===`>`?(l=o??m,f=-1):d[1]===void 0?f=-2:(f=l.lastIndex-d[2].length,u=d[1],l=d[3]===void 0?g:d[3]===`"`?ne:te):l===ne||l===te?l=g:l===h||l===ee?l=m:(l=g,o=void 0);let _=l===g&&e[t+1].startsWith(`/>`)?` `:``;c+=l===m?n+s:f>=0?(r.push(u),n.slice(0,f)+i+n.slice(f)+a+_):n+a+(f===-2?t:_)}return[ae(e,c+(e[n]||`<?>`)+(t===2?`</svg>`:t===3?`</math>`:``)),r]};var x=class e{constructor({strings:t,_$litType$:r},s){let c;this.parts=[];let u=0,d=0,f=t.length-1,p=this.parts,[m,h]=oe(t,r);if(this.el=e.createElement(m,s),b.currentNode=this.el.content,r===2||r===3){let e=this.el.content.firstChild;e.replaceWith(...e.childNodes)}for(;(c=b.nextNode())!==null&&p.length<f;){if(c.nodeType===1){if(c.hasAttributes())for(let e of c.getAttributeNames())if(e.endsWith(i)){let t=h[d++],n=c.getAttribute(e).split(a),r=/([.?@])?(.*)/.exec(t);p.push({type:1,index:u,name:r[2],strings:n,ctor:r[1]===`.`?ce:r[1]===`?`?le:r[1]===`@`?ue:w}),c.removeAttribute(e)}else e.startsWith(a)&&(p.push({type:6,index:u}),c.removeAttribute(e));if(re.test(c.tagName)){let e=c.textContent.split(a),t=e.length-1;if(t>0){c.textContent=n?n.emptyScript:``;for(let n=0;n<t;n++)c.append(e[n],l()),b.nextNode(),p.push({type:2,index:++u});c.append(e[t],l())}}}else if(c.nodeType===8)if(c.data===o)p.push({type:2,index:u});else{let e=-1;for(;(e=c.data.indexOf(a,e+1))!==-1;)p.push({type:7,index:u}),e+=a.length-1}u++}}static createElement(e,t){let n=c.createElement(`template`);return n.innerHTML=e,n}};function S(e,t,n=e,r){if(t===v)return t;let i=r===void 0?n._$Cl:n._$Co?.[r],a=u(t)?void 0:t._$litDirective$;return i?.constructor!==a&&(i?._$AO?.(!1),a===void 0?i=void 0:(i=new a(e),i._$AT(e,n,r)),r===void 0?n._$Cl=i:(n._$Co??=[])[r]=i),i!==void 0&&(t=S(e,i._$AS(e,t.values),i,r)),t}var se=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:n}=this._$AD,r=(e?.creationScope??c).importNode(t,!0);b.currentNode=r;let i=b.nextNode(),a=0,o=0,s=n[0];for(;s!==void 0;){if(a===s.index){let t;s.type===2?t=new C(i,i.nextSibling,this,e):s.type===1?t=new s.ctor(i,s.name,s.strings,this,e):s.type===6&&(t=new de(i,this,e)),this._$AV.push(t),s=n[++o]}a!==s?.index&&(i=b.nextNode(),a++)}return b.currentNode=c,r}p(e){let t=0;for(let n of this._$AV)n!==void 0&&(n.strings===void 0?n._$AI(e[t]):(n._$AI(e,n,t),t+=n.strings.length-2)),t++}},C=class e{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,n,r){this.type=2,this._$AH=y,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=n,this.options=r,this._$Cv=r?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=S(this,e,t),u(e)?e===y||e==null||e===``?(this._$AH!==y&&this._$AR(),this._$AH=y):e!==this._$AH&&e!==v&&this._(e):e._$litType$===void 0?e.nodeType===void 0?f(e)?this.k(e):this._(e):this.T(e):this.$(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==y&&u(this._$AH)?this._$AA.nextSibling.data=e:this.T(c.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:n}=e,r=typeof n==`number`?this._$AC(e):(n.el===void 0&&(n.el=x.createElement(ae(n.h,n.h[0]),this.options)),n);if(this._$AH?._$AD===r)this._$AH.p(t);else{let e=new se(r,this),n=e.u(this.options);e.p(t),this.T(n),this._$AH=e}}_$AC(e){let t=ie.get(e.strings);return t===void 0&&ie.set(e.strings,t=new x(e)),t}k(t){d(this._$AH)||(this._$AH=[],this._$AR());let n=this._$AH,r,i=0;for(let a of t)i===n.length?n.push(r=new e(this.O(l()),this.O(l()),this,this.options)):r=n[i],r._$AI(a),i++;i<n.length&&(this._$AR(r&&r._$AB.nextSibling,i),n.length=i)}_$AR(e=this._$AA.nextSibling,n){for(this._$AP?.(!1,!0,n);e!==this._$AB;){let n=t(e).nextSibling;t(e).remove(),e=n}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},w=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,n,r,i){this.type=1,this._$AH=y,this._$AN=void 0,this.element=e,this.name=t,this._$AM=r,this.options=i,n.length>2||n[0]!==``||n[1]!==``?(this._$AH=Array(n.length-1).fill(new String),this.strings=n):this._$AH=y}_$AI(e,t=this,n,r){let i=this.strings,a=!1;if(i===void 0)e=S(this,e,t,0),a=!u(e)||e!==this._$AH&&e!==v,a&&(this._$AH=e);else{let r=e,o,s;for(e=i[0],o=0;o<i.length-1;o++)s=S(this,r[n+o],t,o),s===v&&(s=this._$AH[o]),a||=!u(s)||s!==this._$AH[o],s===y?e=y:e!==y&&(e+=(s??``)+i[o+1]),this._$AH[o]=s}a&&!r&&this.j(e)}j(e){e===y?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??``)}},ce=class extends w{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===y?void 0:e}},le=class extends w{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==y)}},ue=class extends w{constructor(e,t,n,r,i){super(e,t,n,r,i),this.type=5}_$AI(e,t=this){if((e=S(this,e,t,0)??y)===v)return;let n=this._$AH,r=e===y&&n!==y||e.capture!==n.capture||e.once!==n.once||e.passive!==n.passive,i=e!==y&&(n===y||r);r&&this.element.removeEventListener(this.name,this,n),i&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH==`function`?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},de=class{constructor(e,t,n){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=n}get _$AU(){return this._$AM._$AU}_$AI(e){S(this,e)}};const fe=e.litHtmlPolyfillSupport;fe?.(x,C),(e.litHtmlVersions??=[]).push(`3.3.3`);const pe=(e,t,n)=>{let r=n?.renderBefore??t,i=r._$litPart$;if(i===void 0){let e=n?.renderBefore??null;r._$litPart$=i=new C(t.insertBefore(l(),e),e,void 0,n??{})}return i._$AI(e),i};function T(e){try{return window[e]}catch{let e=new Map;return{getItem:t=>e.get(t)??null,setItem:(t,n)=>void e.set(t,n),removeItem:t=>void e.delete(t)}}}const E=T(`sessionStorage`),me=T(`localStorage`),D=`rollcall key ${new URL(`.`,document.baseURI).pathname}`,he=()=>E.getItem(D)??``;function ge(e){E.setItem(D,e.trim())}function _e(){E.removeItem(D)}const ve=`rollcall scheme`,O=document.documentElement,ye=matchMedia(`(prefers-color-scheme: dark)`),be=me.getItem(ve);(be===`light`||be===`dark`)&&(O.dataset.scheme=be);const xe=()=>(O.dataset.scheme??(ye.matches?`dark`:`light`))===`dark`?`dark`:`light`;function Se(){let e=xe()===`dark`?`light`:`dark`;O.dataset.scheme=e,me.setItem(ve,e)}async function Ce(e){try{return await navigator.clipboard.writeText(e),!0}catch{return we(e)}}function we(e){let t=document.activeElement,n=document.createElement(`textarea`);n.value=e,n.className=`unseen`,document.body.append(n),n.select();let r=document.execCommand(`copy`);return n.remove(),t instanceof HTMLElement&&t.focus(),r}const Te=64*2**20;var Ee=class extends Error{constructor(){super(`The response has more than ${String(Te)} bytes.`)}};async function De(e){let t=new TextDecoder,n=``,r=0,i=e.body?.getReader();for(;;){let{value:e}=await i?.read()??{};if(e===void 0)return n+t.decode();if(r+=e.length,r>Te)throw await i?.cancel(),new Ee;n+=t.decode(e,{stream:!0})}}const{rawJSON:Oe,isRawJSON:ke}=JSON;function Ae(e){return JSON.parse(e,(e,t,n)=>{let r=n?.source;return typeof t!=`number`||r===void 0||r===String(t)?t:Oe?.(r)??t})}const je=e=>Me(JSON.stringify(e,null,2)),Me=e=>e.replace(Ie,Le);function k(e){return Me((typeof e==`string`?e:JSON.stringify(e)).replace(Pe,e=>Fe[e]??e))}const Ne=e=>typeof e==`number`||ke?.(e)===!0,A=e=>typeof e==`object`&&!!e&&!Array.isArray(e)&&ke?.(e)!==!0,Pe=/[\n\r\t]/g,Fe={"\n":`\\n`,"\r":`\\r`,"	":`\\t`},Ie=/(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,Le=e=>e.split(``).map(e=>`\\u${e.charCodeAt(0).toString(16).padStart(4,`0`)}`).join(``),Re=/("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;function ze(e,t){let n=[],r=0;for(let{0:i,1:a,2:o,index:s}of e.matchAll(Re)){let c=o===void 0?a===void 0?`value`:`text`:`name`;n.push(e.slice(r,s),t(c,a??i),o??``),r=s+i.length}return[...n,e.slice(r)]}const j={id:`id`,data:`data`,hasMore:`has_more`,limit:`limit`,after:`after`,before:`before`};function Be(e){if(!A(e)||!A(e.paths))throw TypeError(`This is not an OpenAPI document.`);let t=e,n=Ve(t),r=Object.keys(t.paths).flatMap(e=>He(t,n,e)??[]);if(r.length===0)throw TypeError(`The contract of this server has no lists.`);let{title:i,version:a,description:o}=t.info??{};return{title:String(i),version:String(a),description:o??``,collections:r}}function Ve(e){let t=(n={})=>typeof n.$ref==`string`?t(n.$ref.split(`/`).slice(1).reduce((e,t)=>A(e)?e[t]:void 0,e)):n;return t}function He(e,t,n){let r=e.paths[n]?.get,i=t(Ue(t,r)?.properties?.[j.data]).items;if(r===void 0||i===void 0||n.includes(`{`))return;let a=(r.parameters??[]).map(t).filter(e=>e.in===`query`),o=t(a.find(e=>e.name===j.limit)?.schema),s=[j.limit,j.after,j.before],c=a.flatMap(({name:e=``,schema:n})=>{let r=t(n).enum;return s.includes(e)||!Array.isArray(r)?[]:[{name:e,label:M(e),values:r.map(String)}]}),[l=r.summary??n]=r.tags??[];return{path:n,operation:r.operationId,title:l,description:e.tags?.find(e=>e.name===l)?.description??``,noun:l.toLowerCase(),one:Ke((i.$ref??`record`).replace(/^.*\//,``)),filters:c,limit:{minimum:o.minimum??1,maximum:o.maximum??1/0,default:o.default??0},columns:Object.entries(t(i).properties??{}).flatMap(([e,n])=>Ge(t,e,n)),retrieval:We(e,n)}}function Ue(e,t){let{content:n}=e(t?.responses?.[`200`]);return n===void 0?void 0:e(e(Object.values(n)[0]).schema)}function We(e,t){return Object.entries(e.paths).find(([e])=>e.startsWith(`${t}/{`)&&e.indexOf(`}`)===e.length-1)?.[1].get?.operationId}function Ge(e,t,n){let r=e(n);if(r.enum?.length===1)return[];let i=Object.values(r.properties??{}).map(e),a=i.length>0&&i.every(e=>e.type===`integer`);return[{name:t,label:M(t),kind:t===j.id?`id`:r.enum===void 0?Je(r.example)===void 0?a?`counts`:`value`:`time`:`choice`,isNullable:r.nullable===!0}]}function M(e){let t=e.replaceAll(`_`,` `);return t===j.id?`ID`:t.charAt(0).toUpperCase()+t.slice(1)}const Ke=e=>e.replaceAll(/(?<=.)[A-Z]/g,` $&`).toLowerCase(),qe=/^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,3})?\d*(?:([+-]\d\d)(:\d\d)?|Z)$/;function Je(e){let[,t,n,r=``,i=`+00`,a=`:00`]=qe.exec(String(e))??[];if(t===void 0)return;let o=new Date(`${t}T${String(n)}${r}${i}${a}`);return Number.isNaN(o.getTime())?void 0:o}const Ye=`total`;function N({columns:e},t){let n=e.filter(({kind:e})=>e===`counts`).map(({name:e})=>t[e])[0],r=e.find(({kind:e,isNullable:t})=>e===`time`&&t);if(!A(n)||r===void 0)return;let{total:i,parts:a}=P(n);if(typeof i==`number`)return{done:a.reduce((e,[,t])=>e+(Number(t)||0),0),total:i,isRunning:t[r.name]===null}}function P({[Ye]:e,...t}){return{total:e,parts:Object.entries(t)}}const Xe=3e4;var F=class extends Error{title;status;requestId;retryAfter;excerpt;constructor(e,t,{status:n,requestId:r,retryAfter:i,excerpt:a}={}){super(t),this.title=e,this.status=n,this.requestId=r,this.retryAfter=i,this.excerpt=a}get isUnauthorized(){return this.status===401}get isPassing(){return this.status===void 0||this.status===429||this.status>=500}};const Ze=(e,t)=>async(n,{signal:r,etag:i})=>{let a=AbortSignal.timeout(Xe);try{let o={headers:{...t()===``?{}:{authorization:`Bearer ${t()}`},...i===void 0?{}:{"if-none-match":i}},cache:`no-store`,signal:AbortSignal.any([r,a])},s=await fetch(new URL(`.${n}`,e),o);return s.status===304?void 0:await Qe(s)}catch(e){throw r.throwIfAborted(),e instanceof F?e:e instanceof Ee?new F(`Too large`,e.message):a.aborted?new F(`No response`,`The server has not responded within ${String(Xe/1e3)} seconds.`):new F(`Network failure`,`The server could not be reached, or the connection was cut.`)}};async function Qe(e){let{ok:t,status:n,headers:r}=e,i=await De(e),a=$e(i);if(t&&A(a))return{body:a,etag:r.get(`etag`)??void 0};let o={status:n,requestId:r.get(`x-request-id`)??void 0,retryAfter:et(r.get(`retry-after`))};if(!t&&A(a)&&typeof a.name==`string`&&typeof a.message==`string`)throw new F(a.name,a.message,o);let s=i.slice(0,500);throw new F(`Not a response of the API`,`Something else responded in its place. Its response begins so:`,{...o,excerpt:s})}function $e(e){try{return Ae(e)}catch{return}}function et(e){if(e===null)return;let t=/^\d+$/.test(e)?Number(e):(Date.parse(e)-Date.now())/1e3;return Number.isNaN(t)?void 0:Math.max(0,Math.ceil(t))}function I(e){if(A(e)&&typeof e[j.id]==`string`)return e;throw new F(`Not a record`,`The response is not as the contract has it: it has no id.`)}function tt(e){let t=e?.[j.data];if(!Array.isArray(t))throw new F(`Not a list`,`The response is not as the contract has it: it has no data.`);return t.map(I)}var nt=class{#e=new AbortController;async run(e,t){this.stop();let{signal:n}=this.#e=new AbortController;try{await e(n)}catch(e){n.aborted||t(e)}}stop(){this.#e.abort()}};const L=1e3,rt=6e4;async function it(e,t,n){let r=L,i=!1;for(;;){await n(r);try{let n=await e();if(i&&t(void 0),i=!1,n===`over`)return;r=n===`changed`?L:Math.min(r*1.5,5e3)}catch(e){if(!(e instanceof F)||!e.isPassing)throw e;i=!0,t(e);let n=Math.min(Math.max(r,L)*2,rt);r=Math.max(n,Math.min((e.retryAfter??0)*1e3,rt*5))}}}const at=[{keys:[`j`,`↓`],does:`Next row, or the next record while one is open`,act:`next`},{keys:[`k`,`↑`],does:`Previous row or record`,act:`previous`},{keys:[`Enter`],does:`Open the record`},{keys:[`Esc`],does:`Close the record`,act:`close`},{keys:[`n`],does:`Newer page`,act:`newer`},{keys:[`o`],does:`Older page`,act:`older`},{keys:[`/`],does:`To the filter`,act:`filter`},{keys:[`r`],does:`Refresh`,act:`reload`},{keys:[`?`],does:`This list`,act:`help`}],ot={ArrowDown:`↓`,ArrowUp:`↑`,Escape:`Esc`},st=e=>at.find(({keys:t})=>t.includes(ot[e]??e))?.act;function ct(e,t){let[,n=``,r=``]=/^#?([^?]*)\??(.*)$/s.exec(e)??[],i=new URLSearchParams(r);for(let e of t){if(n===e.path)return{collection:e,query:i,id:void 0};if(!n.startsWith(`${e.path}/`))continue;let t=lt(n.slice(e.path.length+1));if(t!==void 0&&![``,`.`,`..`].includes(t))return{collection:e,query:i,id:t}}}function lt(e){try{return e.includes(`/`)?void 0:decodeURIComponent(e)}catch{return}}const R=({path:e},t)=>t.size===0?e:`${e}?${t.toString()}`,ut=({path:e},t)=>`${e}/${encodeURIComponent(t.toWellFormed())}`;function z({collection:e,query:t,id:n}){return`#${n===void 0?e.path:ut(e,n)}${t.size===0?``:`?${t.toString()}`}`}function B(e,t){let n=new URLSearchParams(e),r={[j.after]:void 0,[j.before]:void 0,...t};for(let[e,t]of Object.entries(r))t===void 0?n.delete(e):n.set(e,t);return n}function dt(e,{ids:t,hasMore:n}){let[r,i]=[t[0],t.at(-1)],a=e.has(j.before)?n:e.has(j.after),o=e.has(j.before)||n;return{newer:a&&r!==void 0?B(e,{[j.before]:r}):void 0,older:o&&i!==void 0?B(e,{[j.after]:i}):void 0}}function ft(e,t,n,{limit:r}){let i=t.indexOf(n),[a,o]=[t[i-1],t[i+1]];return B(e,{...o===void 0?{[j.after]:a}:{[j.before]:o},[j.limit]:String(r.minimum)})}const pt=`ROLLCALL_API_KEY`,mt=e=>`curl -sS -H "Authorization: Bearer $${pt}" '${e.replaceAll(`'`,`'\\''`)}'`;function ht(e,t,{query:n=new URLSearchParams,id:r}){let i=`client.${gt(t)}`,a=r===void 0?`const page = await ${i}.list(${vt(n)});`:`const ${_t(t.one)} = await ${i}.get(${V(r)});`,o=r===void 0?`page.data`:_t(t.one);return[`import { createClient } from '@rollcall/client';`,``,`// The key comes from ${pt}.`,`const client = createClient({ baseUrl: ${V(e.replace(/\/$/,``))} });`,a,`console.log(${o});`,``].join(`
`)}const gt=({operation:e})=>e.charAt(4).toLowerCase()+e.slice(5),_t=e=>e.replaceAll(/ (.)/g,(e,t)=>t.toUpperCase());function vt(e){let t=[...new Map(e)].map(([e,t])=>`${/^[a-z_]\w*$/i.test(e)&&e!==`__proto__`?e:`[${V(e)}]`}: ${e===j.limit&&/^[1-9]\d{0,8}$/.test(t)?t:V(t)}`);return t.length===0?``:`{ ${t.join(`, `)} }`}const V=e=>`'${e.replaceAll(/[\\']/g,`\\$&`).replaceAll(/[^ -~]/gu,e=>Le(e))}'`,yt=T(`localStorage`),bt=`rollcall keys`,xt=()=>yt.getItem(bt)!==`off`;function St(e){yt.setItem(bt,e?`on`:`off`)}function Ct(e){let{key:t,target:n,ctrlKey:r,metaKey:i,altKey:a,isComposing:o}=e;if(!(e.defaultPrevented||r||i||a||o)&&!(!(n instanceof Element)||n.closest(`dialog`)!==null)){if(t===`Escape`)return`close`;if(n.closest(`input, select, textarea`)===null)return t.startsWith(`Arrow`)?n.closest(`tbody`)===null?void 0:st(t):xt()?st(t):void 0}}const wt=()=>[...document.querySelectorAll(`tbody tr`)],H=e=>wt().find(t=>t.dataset.id===e.toLowerCase())?.querySelector(`a`)??void 0;function U(e){document.querySelector(e)?.focus()}function Tt(){let e=``;return()=>{let t=document.querySelector(`nav [aria-current]`);t===null||t.textContent===e||(e=t.textContent,t.scrollIntoView({block:`nearest`,inline:`center`}))}}function Et(){let e,t=Tt();return(n,r,i)=>{let a=document.activeElement??document.body,o=a.closest(`tbody tr`),s=o?.dataset.id;i(),t();let c=e;e={route:n,hasSession:r},c!==void 0&&(r&&!c.hasSession?U(n?.id===void 0?`h1`:`#record-title`):n?.id!==c.route?.id&&n?.id!==void 0?(U(`#record-title`),H(n.id)?.closest(`tr`)?.scrollIntoView({block:`nearest`})):n?.id===void 0&&c.route?.id!==void 0?(H(c.route.id)??document.querySelector(`h1`))?.focus():s!==void 0&&o?.dataset.id!==s?H(s)?.focus():a!==document.body&&document.activeElement===document.body&&U(`h1`))}}function Dt(e,t,n){switch(e){case`next`:return kt(1,t,n);case`previous`:return kt(-1,t,n);case`newer`:case`older`:return Ot(`[data-step="${e}"][href]`);case`filter`:return U(`.controls select`),!0;case`reload`:return n.reload(),!0;case`help`:return n.help(),!0;case`close`:return n.close(),t?.id!==void 0}}function Ot(e){let t=document.querySelector(e);return t?.click(),t!==null}function kt(e,t,n){let r=wt(),i=document.activeElement?.closest(`tbody tr`),a=r.findIndex(e=>t?.id===void 0?e===i:e.dataset.id===t.id.toLowerCase()),o=(a===-1?r[e===1?0:r.length-1]:r[a+e])?.dataset.id;return o===void 0?!1:(t?.id===void 0?H(o)?.focus():n.go(z({...t,id:o})),!0)}function At(e,t,n){let r=t=>t!==void 0&&N(e,t)?.isRunning===!0,i=e.columns.find(({kind:e})=>e===`choice`);return n.filter(e=>!r(e)&&r(t.find(({id:t})=>t===e.id))).map(t=>{let n=i===void 0?`ended`:k(t[i.name]).replaceAll(`_`,` `);return`${M(e.one)} ${k(t.id.slice(0,8))}: ${n}.`}).join(` `)}var jt=class{seen=new Nt;page;record;failures={};news=``;waiting=new Set;#e=new nt;#t=new nt;#n=``;#r=Promise.resolve();#i;constructor(e){this.#i=e}go(e){R(e.collection,e.query)!==this.#n&&this.#a(e);let{collection:t,id:n}=e;n===void 0?this.#l():(this.record?.id!==n||this.record.collection!==t)&&this.#o(t,n)}reload(e){this.#a(e),e.id!==void 0&&this.#o(e.collection,e.id)}leave(){this.stop(),this.#n=``,this.record=void 0}stop(){this.#e.stop(),this.#t.stop()}#a(e){let{collection:t}=e,n=this.#n=R(t,e.query);this.page?.route.collection!==t&&(this.page=void 0),this.failures.page=void 0,this.news=``;let{promise:r,resolve:i}=Promise.withResolvers();this.#r=r,this.#e.run(async r=>{let a=await this.#d(n,r);a!==void 0&&this.#f(e,n,a),i(void 0),await this.#u(()=>this.page?.items.some(e=>N(t,e)?.isRunning)===!0,()=>this.#i.send(n,{signal:r,etag:this.page?.etag}),t=>{this.#f(e,n,t)},`page`,r)},e=>{this.page?.target!==n&&(this.page=void 0),this.#_(`page`,e),i(void 0)})}#o(e,t){this.record={collection:e,id:t},this.#h(),this.failures.record=void 0;let n=e.retrieval===void 0?this.#c(e,t):this.#s(e,t);this.#t.run(n,e=>{this.#_(`record`,e)})}#s(e,t){let n=ut(e,t);return async r=>{let i=await this.#d(n,r);i!==void 0&&this.#p(I(i.body),i.etag),await this.#u(()=>this.record?.item!==void 0&&N(e,this.record.item)?.isRunning===!0,async()=>this.#g(t)?void 0:this.#i.send(n,{signal:r,etag:this.record?.etag}),e=>{this.#p(I(e.body),e.etag)},`record`,r)}}#c(e,t){return async n=>{if(await this.#r,n.throwIfAborted(),this.#h(),this.record?.item===void 0){let r=await Mt(t,e.limit.minimum,async t=>tt((await this.#d(R(e,t),n))?.body));if(r===void 0)throw new F(`Not found`,`The list moved while the record was looked for.`);this.record={collection:e,id:t,...r}}this.#i.changed()}}#l(){this.#t.stop(),this.record=void 0,this.failures.record=void 0}async#u(e,t,n,r,i){e()&&await it(async()=>{let r=await t();return i.throwIfAborted(),r!==void 0&&n(r),e()?r===void 0?`unchanged`:`changed`:`over`},e=>{this.failures[r]=e,this.#i.changed()},this.#i.pause(i))}async#d(e,t){this.waiting.add(e),this.#i.changed();try{let n=await this.#i.send(e,{signal:t});return t.throwIfAborted(),n}finally{this.waiting.delete(e),this.#i.changed()}}#f(e,t,{body:n,etag:r}){let i=tt(n),a=n[j.hasMore]===!0;this.#m(e.collection,this.page?.items,i),this.page={route:e,target:t,items:i,hasMore:a,body:n,etag:r};let{query:o,collection:s}=e,c=o.get(j.after)??void 0;this.seen.add(s.path,{ids:i.map(e=>e.id),hasMore:a,after:c,isFromHead:c===void 0&&!o.has(j.before),isFiltered:s.filters.some(e=>o.has(e.name))}),this.#h(),this.#i.changed()}#p(e,t){let{page:n,record:r}=this;r!==void 0&&(this.#m(r.collection,r.item===void 0?[]:[r.item],[e]),this.record={...r,item:e,etag:t}),n!==void 0&&this.#g(e.id)&&(this.page={...n,items:n.items.map(t=>t.id===e.id?e:t)}),this.#i.changed()}#m(e,t=[],n){let r=At(e,t,n);r!==``&&(this.news=r)}#h(){let{record:e,page:t}=this;if(e===void 0||t?.route.collection!==e.collection)return;let n=e.id.toLowerCase(),r=t.items.find(e=>e.id===n);if(r===void 0)return;let i=t.items.map(e=>e.id);this.record={...e,item:r,query:ft(t.route.query,i,n,e.collection)}}#g(e){let{page:t,record:n}=this;return t===void 0||t.route.collection!==n?.collection?!1:t.items.some(t=>t.id===e.toLowerCase())}#_(e,t){let n=t instanceof F?t:new F(`A fault of this page`,String(t));n.isUnauthorized?this.#i.unauthorized(n):this.failures[e]=n,this.#i.changed()}};async function Mt(e,t,n){let{after:r,before:i}=j,a=e=>new URLSearchParams({[j.limit]:String(t),...e}),[o]=await n(a({[r]:e})),[s]=o===void 0?await n(a({[i]:e})):[],c=a(o===void 0?s===void 0?{}:{[r]:s.id}:{[i]:o.id}),l=(await n(c)).find(t=>t.id===e.toLowerCase());return l===void 0?void 0:{item:l,query:c}}var Nt=class{#e=new Map;add(e,{ids:t,hasMore:n,after:r,isFromHead:i,isFiltered:a}){let o=this.#e.get(e)??{ids:new Set,reached:new Set,isWhole:!1};this.#e.set(e,o);for(let e of t)o.ids.add(e);if(!a&&(i||r!==void 0&&o.reached.has(r))){for(let e of t)o.reached.add(e);o.isWhole||=!n}}label(e){let t=this.#e.get(e);return t===void 0?``:`${String(t.ids.size)}${t.isWhole?``:`+`}`}};const Pt=/^[\s\u034f\u115f\u1160\u2800\u3164\uffa0]+$/u;function Ft({kind:e},t,{isBrief:n=!1}={}){if(t==null)return _`<code class="none">null</code>`;if(t===``)return _`<span class="none">empty</span>`;let r=k(t);if(e===`choice`)return _`<span class="badge" data-tone=${Bt(r)}>${r.replaceAll(`_`,` `)}</span>`;let i=e===`time`?Je(t):void 0;if(i!==void 0)return _`<time datetime=${i.toISOString()} title=${r}
      >${(n?It:Lt).format(i)}</time
    >`;if(e===`counts`&&A(t))return Vt(t);if(Ne(t))return _`<span class="number">${r}</span>`;if(Pt.test(r))return _`<bdi class="blank">${`"${r.slice(0,160)}"`}</bdi> <span class="none">blank</span>`;let a=r.length>160;return _`<bdi title=${a?`Longer: its JSON has all of it`:y}
    >${a?`${r.slice(0,160)}…`:r}</bdi
  >`}const It=new Intl.DateTimeFormat(void 0,{dateStyle:`medium`,timeStyle:`short`}),Lt=new Intl.DateTimeFormat(void 0,{dateStyle:`medium`,timeStyle:`medium`}),{timeZone:Rt}=Lt.resolvedOptions(),zt={bad:/\b(fail|failed|error|rejected|blocked|expired)\b/,busy:/\b(in progress|running|processing)\b/,good:/\b(enabled|active|completed|done|succeeded|ok)\b/};function Bt(e){let t=e.replaceAll(/[_-]/g,` `);return Object.keys(zt).find(e=>zt[e]?.test(t))??`plain`}function Vt(e){let{total:t,parts:n}=P(e),r=n.filter(([,e])=>e!==0);return _`<span class="counts"
    >${r.length===0?_`<span class="none">${W(t??0)}</span>`:r.map(([e,t])=>_`<span>${W(t)} ${e}</span>`)}</span
  >`}function Ht(e,t,n){let r=n[t.name];if(t.kind!==`counts`||!A(r)||N(e,n)===void 0)return Ft(t,r,{isBrief:!0});let i=P(r).parts.filter(([e,t])=>Bt(e)===`bad`&&t!==0);return _`<div class="tally">
    ${Ut(e,n)}${i.map(([e,t])=>_`<span class="bad">${W(t)} ${e}</span>`)}
  </div>`}const W=e=>typeof e==`number`?e.toLocaleString():k(e),G=e=>e.length>9?`${k(e.slice(0,8))}…`:k(e);function Ut(e,t){let n=N(e,t);if(n===void 0)return y;let{done:r,total:i,isRunning:a}=n;return _`<span class="progress" data-running=${a}>
    <progress
      aria-label="Progress of ${e.one} ${G(t.id)}"
      value=${r}
      max=${Math.max(i,1)}
    ></progress>
    <span class="number">${r===i?W(i):`${W(r)} of ${W(i)}`}</span>
  </span>`}function K(e,{again:t,links:n=[]}){let{title:r,message:i,status:a,requestId:o,retryAfter:s,excerpt:c}=e;return _`<section class="problem" role="alert">
    <h2>${a===void 0?y:_`<span class="code">${a}</span> `}${k(r)}</h2>
    <p>${q(i)}</p>
    ${c===void 0?y:_`<pre class="excerpt" tabindex="0">${Me(c.replaceAll(`\r
`,`
`).replaceAll(`	`,`  `))||`(nothing)`}</pre>`}
    ${o===void 0?y:_`<p class="quiet">X-Request-Id <code>${o}</code></p>`}
    ${s===void 0?y:_`<p class="quiet">Retry-After <code>${s}</code> s</p>`}
    <p class="ways">
      <button type="button" @click=${t}>Try again</button>
      ${n.map(({href:e,text:t})=>_`<a href=${e}>${t}</a>`)}
    </p>
  </section>`}const q=e=>e.split("`").map((e,t)=>t%2==1?_`<code>${k(e)}</code>`:k(e));function Wt({message:e,acts:t},n,r){return _`<div class="copy" role="group" aria-label="Copy the ${n} as">
    <span aria-hidden="true">Copy</span>
    ${Object.entries(r).map(([r,i])=>{let a=`${n} as ${r}`;return _`<button
        type="button"
        class=${e===`Copied: ${a}`?`copied`:``}
        @click=${()=>{t.copy(a,i())}}
      >
        ${r}
      </button>`})}
  </div>`}function Gt(e,t,n){let{collection:r,query:i}=n,{page:a,failures:o}=t,s=a?.target!==R(r,i);return _`
    <h1 tabindex="-1">${r.title}</h1>
    <p class="quiet">${q(r.description)}</p>
    ${qt(e,n,a)}
    ${o.page===void 0?y:K(o.page,{again:e.acts.reload,links:Jt(n,o.page)})}
    ${a===void 0?y:_`<div class="list" aria-busy=${s}>${Yt(a,n)}</div>`}
    ${a===void 0?y:$t(t,a,n)}
  `}const Kt=[5,10,25,50,100];function qt(e,{collection:t,query:n},r){let{acts:i,base:a}=e,o=e=>({target:r})=>{if(!(r instanceof HTMLSelectElement))return;let a=B(n,{[e]:r.value===``?void 0:r.value});i.go(z({collection:t,query:a,id:void 0}))},s=(e,t,r,i)=>{let a=n.get(e)??``,s=a===``||r.includes(a)?r:[...r,a];return _`<label class="field"
      ><span>${t}</span>
      <select data-name=${e} @change=${o(e)}>
        <option value="" ?selected=${a===``} .selected=${a===``}>${i}</option>
        ${s.map(e=>_`<option value=${e} .selected=${e===a}>${k(e).replaceAll(`_`,` `)}</option>`)}
      </select></label
    >`},{minimum:c,maximum:l,default:u}=t.limit,d=[...new Set([...Kt,l])].filter(e=>e>=c&&e<=l&&e!==u),f=new URL(`.${R(t,n)}`,a).href;return _`<div class="controls">
    ${t.filters.map(({name:e,label:t,values:n})=>s(e,t,n,`All`))}
    ${s(j.limit,`Page size`,d.map(String),String(u))}
    <button type="button" @click=${i.reload} aria-keyshortcuts="r">Refresh</button>
    ${Wt(e,`page`,{curl:()=>mt(f),"client code":()=>ht(a,t,{query:n}),...r===void 0?{}:{JSON:()=>je(r.body)}})}
  </div>`}function Jt(e,{status:t}){let n=e.query.has(j.after)||e.query.has(j.before);return t!==404||!n?[]:[{href:z({...e,id:void 0,query:B(e.query,{})}),text:`Go to the first page`}]}const Yt=(e,t)=>e.items.length===0?Xt(e.route):Zt(e,t);function Xt({collection:e,query:t}){let{noun:n,filters:r}=e,i=r.some(e=>t.has(e.name)),[a]=[t.has(j.after)?`older`:``,t.has(j.before)?`newer`:``].filter(Boolean),o=(t,n)=>_`<p><a href=${z({collection:e,query:t,id:void 0})}>${n}</a></p>`;return a===void 0?i?_`<div class="empty">
    <p>No ${n} match the filter.</p>
    ${o(B(t,Object.fromEntries(r.map(e=>[e.name,void 0]))),`Show all ${n}`)}
  </div>`:_`<div class="empty"><p>This account has no ${n}.</p></div>`:_`<div class="empty">
      <p>${i?`No ${a} ${n} match the filter.`:`There are no ${a} ${n}.`}</p>
      ${o(B(t,{}),`Go to the first page`)}
    </div>`}function Zt({items:e,route:{collection:t,query:n}},{id:r}){let{columns:i,noun:a}=t,o=(e,n)=>e.kind===`id`?y:_`<td role="cell" data-kind=${e.kind} data-label=${e.label}>
      ${Ht(t,e,n)}
    </td>`;return _`<table role="table">
    <caption class="unseen">
      ${a}, newest first
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        <th role="columnheader" scope="col">${M(j.id)}</th>
        ${i.map(({kind:e,label:t})=>e===`id`?y:_`<th role="columnheader" scope="col" data-kind=${e}>${t}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${e.map(e=>{let a=z({collection:t,query:n,id:e.id}),s=r?.toLowerCase()===e.id;return _`<tr role="row" data-id=${e.id} aria-current=${s?`true`:y} @click=${Qt}>
      <th role="rowheader" scope="row">
        <a href=${a} title=${e.id}><code>${G(e.id)}</code></a>
      </th>
      ${i.map(t=>o(t,e))}
    </tr>`})}
    </tbody>
  </table>`}function Qt({target:e,currentTarget:t}){!(e instanceof Element)||!(t instanceof Element)||e.closest(`a`)!==null||getSelection()?.isCollapsed===!1||t.querySelector(`a`)?.click()}function $t(e,{items:t,hasMore:n,route:{collection:r,query:i}},a){let{newer:o,older:s}=dt(i,{ids:t.map(e=>e.id),hasMore:n}),c=i.has(j.after)||i.has(j.before),l=(e,t,n)=>n===void 0?_`<a class="step" role="link" aria-disabled="true" data-step=${t}>${e}</a>`:_`<a class="step" data-step=${t} href=${z({collection:r,query:n,id:void 0})} @click=${en}
          >${e}</a
        >`;return _`<nav class="foot" aria-label="Pages">
    <p class="quiet">
      ${tn(e,a)}<span class="zone"
        >Times are of ${Rt}; the API's own text is in their title.</span
      >
    </p>
    <div class="steps">
      ${l(`First`,`first`,c?B(i,{}):void 0)} ${l(`← Newer`,`newer`,o)}
      ${l(`Older →`,`older`,s)}
    </div>
  </nav>`}function en(){scrollTo(0,0)}function tn(e,t){let n=e?.page;if(n===void 0||t===void 0||e?.waiting.has(n.target)===!0)return``;let{noun:r,one:i}=n.route.collection,{query:a}=n.route,o=n.items.length,s=a.has(j.before)?`more newer`:`more older`,c=a.has(j.before)?`none newer`:`none older`;return o===0?`No ${r}`:`${String(o)} ${o===1?i:r}, newest first, ${n.hasMore?s:c}`}function nn(e,{record:t,failures:n},r){let{collection:i,id:a=``}=r,o=t?.item;return _`<aside class="record" aria-labelledby="record-title">
    <header>
      <h2 id="record-title" tabindex="-1">
        <span class="kind">${i.one}</span>
        <code>${k(a)}</code>
      </h2>
      <a class="close" href=${z({...r,id:void 0})} aria-label="Close the record" title="Close (Esc)"
        >✕</a
      >
    </header>
    <div class="body">
      ${n.record===void 0?y:K(n.record,{again:e.acts.reload})}
      ${t===void 0||o===void 0?y:rn(e,t,o)}
    </div>
  </aside>`}function rn(e,t,n){let{collection:r}=t;return _`
    ${Ut(r,n)}
    <dl class="properties">${r.columns.map(e=>an(e,n[e.name]))}</dl>
    <div class="json-head">
      <h3>JSON</h3>
      ${Wt(e,r.one,on(e.base,t,n))}
    </div>
    <pre class="json" tabindex="0">
${ze(je(n),(e,t)=>_`<span class=${e}>${t}</span>`)}</pre>
  `}function an(e,t){let{kind:n,label:r}=e;if(n===`id`)return y;if(n===`counts`&&A(t)){let{total:e,parts:n}=P(t);return _`<div class="tallies">
      <dt>${r}</dt>
      <dd>
        <ul>
          ${[...n,[Ye,e]].map(([e,t])=>_`<li><span>${W(t)}</span> ${e}</li>`)}
        </ul>
      </dd>
    </div>`}let i=n===`time`&&typeof t==`string`?_`<code class="exact">${k(t)}</code>`:y;return _`<div>
    <dt>${r}</dt>
    <dd>${Ft(e,t)} ${i}</dd>
  </div>`}function on(e,{collection:t,id:n,query:r=new URLSearchParams},i){let a=t.retrieval!==void 0,o=a?ut(t,n):R(t,r);return{curl:()=>mt(new URL(`.${o}`,e).href),"client code":()=>ht(e,t,a?{id:n}:{query:r}),JSON:()=>je(i)}}const sn=matchMedia(`(width < 44rem), (width < 80rem) and (height < 30rem)`);function cn(e){let{session:t,route:n}=e,r=t===void 0||n?.id===void 0?y:nn(e,t,n),i=r!==y&&sn.matches;return _`
    <a class="skip" href="#content" @click=${ln}>Skip to the content</a>
    ${dn(e,i)}
    <div class=${r===y?`desk`:`desk with-record`}>
      <main id="content" tabindex="-1" ?inert=${i}>${un(e)}</main>
      ${r}
    </div>
    ${hn(e)} ${vn(e)}
  `}function ln(e){e.preventDefault(),document.getElementById(`content`)?.focus()}function un(e){let{session:t,route:n}=e;return t===void 0?gn(e):n===void 0?mn(e):Gt(e,t,n)}function dn({contract:e,route:t,session:n,acts:r},i){let a=xe()===`dark`;return _`<header class="top" ?inert=${i}>
    <a class="brand" href="#">${e.title} <span>console</span></a>
    <button class="tool menu" type="button" popovertarget="menu">Menu</button>
    <div id="menu" popover @click=${pn}>
      <nav class="tabs" aria-label="Collections">
        <ul>
          ${n===void 0?y:e.collections.map(e=>{let r=t?.collection===e,i=n?.seen.label(e.path)??``;return _`<li>
      <a
        href=${z({collection:e,query:new URLSearchParams,id:void 0})}
        aria-current=${r?`page`:y}
        >${e.title}${i===``?y:_` <span class="count" title=${fn(e,i)}>${i} seen</span>`}</a
      >
    </li>`})}
        </ul>
      </nav>
      <div class="tools">
        <a class="tool" href="docs">Reference</a>
        <button class="tool wide" type="button" @click=${r.help} aria-keyshortcuts="?">Keys</button>
        <button class="tool" type="button" @click=${r.scheme}>${a?`Light`:`Dark`}</button>
        ${n===void 0?y:_`<button class="tool" type="button" @click=${r.forget}>Forget key</button>`}
      </div>
    </div>
  </header>`}function fn({one:e,noun:t},n){let r=Number.parseInt(n,10),i=n.endsWith(`+`)?` The account has more.`:``;return`You have seen ${String(r)} ${r===1?e:t} in this session.${i}`}function pn({currentTarget:e,target:t}){!(e instanceof HTMLElement)||!(t instanceof Element)||t.closest(`a, button`)!==null&&e.matches(`:popover-open`)&&e.hidePopover()}function mn({hash:e,contract:t}){let[n]=t.collections;return _`<section class="problem" role="alert">
    <h1>Nothing is at this link</h1>
    <p>The contract has no list or record at <code>${k(e.replace(/^#/,``))}</code>.</p>
    ${n===void 0?y:_`<p>
            <a href=${z({collection:n,query:new URLSearchParams,id:void 0})}>${n.title}</a>
          </p>`}
  </section>`}function hn({session:e,route:t,message:n}){let r=[...e?.waiting??[]];return _`
    <p class=${n===``?`unseen`:`toast`} role="status">
      ${n===``?tn(e,t):n}
    </p>
    <p class="unseen" aria-live="polite" data-news>${e?.news}</p>
    <p class="waiting" ?hidden=${r.length===0} aria-hidden="true">
      ${r.map(e=>_`<span>Waiting for GET ${k(e)}</span>`)}
    </p>
  `}function gn({contract:e,route:t,hash:n,rejection:r,acts:i}){let a=e=>{e.preventDefault();let t=document.getElementById(`key`);t instanceof HTMLInputElement&&i.enter(t.value)},[o=``]=e.description.split(/(?<=\.)\s/);return _`<section class="ask">
    <h1>${e.title} console</h1>
    <p class="lead">${q(o)}</p>
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
          aria-invalid=${r===void 0?y:`true`}
          autofocus
        />
        <button class="primary" type="submit">Open</button>
      </div>
      ${r===void 0?y:_n(r)}
      <p id="key-note" class="quiet">
        It stays in this tab until you close it, is sent to this server only, and is never part of a link or of what you
        copy.
      </p>
    </form>
    ${t===void 0?y:_`<p class="quiet">It opens at <code>${k(n.slice(1))}</code>.</p>`}
    <p class="quiet">
      <a href="openapi.yaml">openapi.yaml</a> is the contract of this API (version ${e.version})<span
        class="of-reference"
        >, and <a href="docs">the reference</a> describes it</span
      >.
    </p>
  </section>`}function _n(e){if(typeof e==`string`)return _`<p id="key-rejection" class="rejection" role="alert">${e}</p>`;let{status:t,title:n,message:r,requestId:i}=e;return _`<p id="key-rejection" class="rejection" role="alert">
    <strong>${t} ${k(n)}</strong> ${q(r)}
    ${i===void 0?y:_`<br /><small>X-Request-Id <code>${i}</code></small>`}
  </p>`}const vn=({areKeysOn:e})=>_`<dialog id="keys" aria-labelledby="keys-title">
    <h2 id="keys-title">Keys</h2>
    <dl>
      ${at.map(({keys:e,does:t})=>_`<div>
            <dt>${e.map(e=>_`<kbd>${e}</kbd> `)}</dt>
            <dd>${t}</dd>
          </div>`)}
    </dl>
    <p>
      <label
        ><input
          type="checkbox"
          .checked=${e}
          @change=${({target:e})=>{St(e instanceof HTMLInputElement&&e.checked)}}
        />
        Single keys do this. Turn it off if they get in the way of speech input.</label
      >
    </p>
    <form method="dialog"><button class="primary">Close</button></form>
  </dialog>`,yn=(e,t)=>_`<main class="notice">
    <h1>Rollcall console</h1>
    ${e===void 0?_`<p role="status">Waiting for the contract of this server.</p>`:K(e,{again:t})}
  </main>`,bn=/^[!-~]+$/,xn=new URL(`.`,document.baseURI).href,Sn=Ze(xn,he),Cn=document.getElementById(`console`)??document.body;let J,Y,X,Z=``;const wn=Et(),Q=()=>ct(location.hash,J?.collections??[]),Tn={go:e=>{location.hash=e},reload:()=>{let e=Q();e!==void 0&&Y?.reload(e)},enter:e=>{let t=e.trim();if(!bn.test(t)){X=t===``?`Paste an API key.`:`This is not a key: it has spaces, line breaks or characters that no key has.`,$();return}ge(t),X=void 0,Dn()},forget:()=>{On(void 0)},scheme:()=>{Se(),$()},copy:(e,t)=>{Ce(t).then(t=>{En(t?`Copied: ${e}`:`The browser refuses to copy`)})},help:()=>{let e=document.getElementById(`keys`);e instanceof HTMLDialogElement&&e.showModal()},close:()=>{let e=Q();e?.id!==void 0&&Tn.go(z({...e,id:void 0}))}};function En(e){Z=e,$(),setTimeout(()=>{Z===e&&(Z=``),$()},2e3)}function Dn(){Y=new jt({send:Sn,pause:jn,changed:$,unauthorized:On}),kn()}function On(e){Y?.stop(),Y=void 0,_e(),X=e,$(),document.getElementById(`key`)?.focus()}function kn(){let[e]=J?.collections??[];if(Y!==void 0&&e!==void 0&&/^#?$/.test(location.hash)){location.replace(z({collection:e,query:new URLSearchParams,id:void 0}));return}let t=Q();t===void 0?Y?.leave():Y?.go(t),$()}function An(e){Cn.querySelector(`main.notice:has(noscript)`)?.remove(),pe(e,Cn)}function $(){if(J===void 0)return;let e=Q(),t=e?.id===void 0?e?.collection.title:`${M(e.collection.one)} ${G(e.id)}`;document.title=t===void 0?`${J.title} console`:`${t} · ${J.title} console`;let n={contract:J,route:e,hash:location.hash,session:Y,rejection:X,message:Z,areKeysOn:xt()};wn(e,Y!==void 0,()=>{An(cn({base:xn,acts:Tn,...n}))})}function jn(e){return async t=>{await Mn(e,e=>{let n=setTimeout(e,t);return()=>{clearTimeout(n)}}),document.hidden&&await Mn(e,e=>(document.addEventListener(`visibilitychange`,e),()=>{document.removeEventListener(`visibilitychange`,e)}))}}function Mn(e,t){return new Promise((n,r)=>{e.throwIfAborted();let i=()=>{o(),e.removeEventListener(`abort`,a),n()},a=()=>{o(),r(e.reason)},o=t(i);e.addEventListener(`abort`,a,{once:!0})})}addEventListener(`hashchange`,kn),sn.addEventListener(`change`,$),addEventListener(`keydown`,e=>{let t=Ct(e);t===void 0||Y===void 0||Dt(t,Q(),Tn)&&e.preventDefault()});async function Nn(){let e=()=>void Nn();An(yn(void 0,e));try{J=Be((await Sn(`/openapi.json`,{signal:new AbortController().signal}))?.body)}catch(t){An(yn(t instanceof F?t:new F(`No contract`,String(t)),e));return}he()===``?$():Dn()}Nn();