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
\f\r]`,m=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,ee=/-->/g,te=/>/g,h=RegExp(`>|${p}(?:([^\\s"'>=/]+)(${p}*=${p}*(?:[^ \t\n\f\r"'\`<>=]|("|')|))|$)`,`g`),ne=/'/g,re=/"/g,ie=/^(?:script|style|textarea|title)$/i,g=(e=>(t,...n)=>({_$litType$:e,strings:t,values:n}))(1),_=Symbol.for(`lit-noChange`),v=Symbol.for(`lit-nothing`),ae=new WeakMap,y=c.createTreeWalker(c,129);function oe(e,t){if(!d(e)||!e.hasOwnProperty(`raw`))throw Error(`invalid template strings array`);return r===void 0?t:r.createHTML(t)}const se=(e,t)=>{let n=e.length-1,r=[],o,c=t===2?`<svg>`:t===3?`<math>`:``,l=m;for(let t=0;t<n;t++){let n=e[t],u,d,f=-1,p=0;for(;p<n.length&&(l.lastIndex=p,d=l.exec(n),d!==null);)p=l.lastIndex,l===m?d[1]===`!--`?l=ee:d[1]===void 0?d[2]===void 0?d[3]!==void 0&&(l=h):(ie.test(d[2])&&(o=RegExp(`</`+d[2],`g`)),l=h):l=te:l===h?d[0]===`>`?(l=o??m,f=-1):d[1]===void 0?f=-2:(f=l.lastIndex-d[2].length,u=d[1],l=d[3]===void 0?h:d[3]===`"`?re:ne):l===re||l===ne?l=h:l===ee||l===te?l=m:(l=h,o=void 0);let g=l===h&&e[t+1].startsWith(`/>`)?` `:``;c+=l===m?n+s:f>=0?(r.push(u),n.slice(0,f)+i+n.slice(f)+a+g):n+a+(f===-2?t:g)}return[oe(e,c+(e[n]||`<?>`)+(t===2?`</svg>`:t===3?`</math>`:``)),r]};var ce=class e{constructor({strings:t,_$litType$:r},s){let c;this.parts=[];let u=0,d=0,f=t.length-1,p=this.parts,[m,ee]=se(t,r);if(this.el=e.createElement(m,s),y.currentNode=this.el.content,r===2||r===3){let e=this.el.content.firstChild;e.replaceWith(...e.childNodes)}for(;(c=y.nextNode())!==null&&p.length<f;){if(c.nodeType===1){if(c.hasAttributes())for(let e of c.getAttributeNames())if(e.endsWith(i)){let t=ee[d++],n=c.getAttribute(e).split(a),r=/([.?@])?(.*)/.exec(t);p.push({type:1,index:u,name:r[2],strings:n,ctor:r[1]===`.`?de:r[1]===`?`?fe:r[1]===`@`?pe:x}),c.removeAttribute(e)}else e.startsWith(a)&&(p.push({type:6,index:u}),c.removeAttribute(e));if(ie.test(c.tagName)){let e=c.textContent.split(a),t=e.length-1;if(t>0){c.textContent=n?n.emptyScript:``;for(let n=0;n<t;n++)c.append(e[n],l()),y.nextNode(),p.push({type:2,index:++u});c.append(e[t],l())}}}else if(c.nodeType===8)if(c.data===o)p.push({type:2,index:u});else{let e=-1;for(;(e=c.data.indexOf(a,e+1))!==-1;)p.push({type:7,index:u}),e+=a.length-1}u++}}static createElement(e,t){let n=c.createElement(`template`);return n.innerHTML=e,n}};function b(e,t,n=e,r){if(t===_)return t;let i=r===void 0?n._$Cl:n._$Co?.[r],a=u(t)?void 0:t._$litDirective$;return i?.constructor!==a&&(i?._$AO?.(!1),a===void 0?i=void 0:(i=new a(e),i._$AT(e,n,r)),r===void 0?n._$Cl=i:(n._$Co??=[])[r]=i),i!==void 0&&(t=b(e,i._$AS(e,t.values),i,r)),t}var le=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:n}=this._$AD,r=(e?.creationScope??c).importNode(t,!0);y.currentNode=r;let i=y.nextNode(),a=0,o=0,s=n[0];for(;s!==void 0;){if(a===s.index){let t;s.type===2?t=new ue(i,i.nextSibling,this,e):s.type===1?t=new s.ctor(i,s.name,s.strings,this,e):s.type===6&&(t=new me(i,this,e)),this._$AV.push(t),s=n[++o]}a!==s?.index&&(i=y.nextNode(),a++)}return y.currentNode=c,r}p(e){let t=0;for(let n of this._$AV)n!==void 0&&(n.strings===void 0?n._$AI(e[t]):(n._$AI(e,n,t),t+=n.strings.length-2)),t++}},ue=class e{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,n,r){this.type=2,this._$AH=v,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=n,this.options=r,this._$Cv=r?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=b(this,e,t),u(e)?e===v||e==null||e===``?(this._$AH!==v&&this._$AR(),this._$AH=v):e!==this._$AH&&e!==_&&this._(e):e._$litType$===void 0?e.nodeType===void 0?f(e)?this.k(e):this._(e):this.T(e):this.$(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==v&&u(this._$AH)?this._$AA.nextSibling.data=e:this.T(c.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:n}=e,r=typeof n==`number`?this._$AC(e):(n.el===void 0&&(n.el=ce.createElement(oe(n.h,n.h[0]),this.options)),n);if(this._$AH?._$AD===r)this._$AH.p(t);else{let e=new le(r,this),n=e.u(this.options);e.p(t),this.T(n),this._$AH=e}}_$AC(e){let t=ae.get(e.strings);return t===void 0&&ae.set(e.strings,t=new ce(e)),t}k(t){d(this._$AH)||(this._$AH=[],this._$AR());let n=this._$AH,r,i=0;for(let a of t)i===n.length?n.push(r=new e(this.O(l()),this.O(l()),this,this.options)):r=n[i],r._$AI(a),i++;i<n.length&&(this._$AR(r&&r._$AB.nextSibling,i),n.length=i)}_$AR(e=this._$AA.nextSibling,n){for(this._$AP?.(!1,!0,n);e!==this._$AB;){let n=t(e).nextSibling;t(e).remove(),e=n}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},x=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,n,r,i){this.type=1,this._$AH=v,this._$AN=void 0,this.element=e,this.name=t,this._$AM=r,this.options=i,n.length>2||n[0]!==``||n[1]!==``?(this._$AH=Array(n.length-1).fill(new String),this.strings=n):this._$AH=v}_$AI(e,t=this,n,r){let i=this.strings,a=!1;if(i===void 0)e=b(this,e,t,0),a=!u(e)||e!==this._$AH&&e!==_,a&&(this._$AH=e);else{let r=e,o,s;for(e=i[0],o=0;o<i.length-1;o++)s=b(this,r[n+o],t,o),s===_&&(s=this._$AH[o]),a||=!u(s)||s!==this._$AH[o],s===v?e=v:e!==v&&(e+=(s??``)+i[o+1]),this._$AH[o]=s}a&&!r&&this.j(e)}j(e){e===v?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??``)}},de=class extends x{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===v?void 0:e}},fe=class extends x{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==v)}},pe=class extends x{constructor(e,t,n,r,i){super(e,t,n,r,i),this.type=5}_$AI(e,t=this){if((e=b(this,e,t,0)??v)===_)return;let n=this._$AH,r=e===v&&n!==v||e.capture!==n.capture||e.once!==n.once||e.passive!==n.passive,i=e!==v&&(n===v||r);r&&this.element.removeEventListener(this.name,this,n),i&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH==`function`?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},me=class{constructor(e,t,n){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=n}get _$AU(){return this._$AM._$AU}_$AI(e){b(this,e)}};const he=e.litHtmlPolyfillSupport;he?.(ce,ue),(e.litHtmlVersions??=[]).push(`3.3.3`);const ge=(e,t,n)=>{let r=n?.renderBefore??t,i=r._$litPart$;if(i===void 0){let e=n?.renderBefore??null;r._$litPart$=i=new ue(t.insertBefore(l(),e),e,void 0,n??{})}return i._$AI(e),i};function S(e){try{return window[e]}catch{let e=new Map;return{getItem:t=>e.get(t)??null,setItem:(t,n)=>void e.set(t,n),removeItem:t=>void e.delete(t)}}}const _e=S(`sessionStorage`),ve=S(`localStorage`),ye=`rollcall key ${new URL(`.`,document.baseURI).pathname}`,C=()=>_e.getItem(ye)??``;function be(e){_e.setItem(ye,e.trim())}function xe(){_e.removeItem(ye)}const Se=`rollcall scheme`,Ce=document.documentElement,we=matchMedia(`(prefers-color-scheme: dark)`),Te=ve.getItem(Se);(Te===`light`||Te===`dark`)&&(Ce.dataset.scheme=Te);const Ee=()=>(Ce.dataset.scheme??(we.matches?`dark`:`light`))===`dark`?`dark`:`light`;function De(){let e=Ee()===`dark`?`light`:`dark`;Ce.dataset.scheme=e,ve.setItem(Se,e)}function Oe(e,t){let n=URL.createObjectURL(new Blob([...t],{type:`application/x-ndjson`})),r=document.createElement(`a`);r.href=n,r.download=e,r.click(),setTimeout(()=>{URL.revokeObjectURL(n)},6e4)}async function ke(e){try{return await navigator.clipboard.writeText(e),!0}catch{return Ae(e)}}function Ae(e){let t=document.activeElement,n=document.createElement(`textarea`);n.value=e,n.className=`unseen`,document.body.append(n),n.select();let r=document.execCommand(`copy`);return n.remove(),t instanceof HTMLElement&&t.focus(),r}const{rawJSON:je,isRawJSON:Me}=JSON;function Ne(e){return JSON.parse(e,(e,t,n)=>{let r=n?.source;return typeof t!=`number`||r===void 0||r===String(t)?t:je?.(r)??t})}const Pe=e=>Fe(JSON.stringify(e,null,2)),Fe=e=>e.replace(ze,Be);function w(e){return Fe((typeof e==`string`?e:JSON.stringify(e)).replace(Le,e=>Re[e]??e))}const Ie=e=>typeof e==`number`||Me?.(e)===!0,T=e=>typeof e==`object`&&!!e&&!Array.isArray(e)&&Me?.(e)!==!0,Le=/[\n\r\t]/g,Re={"\n":`\\n`,"\r":`\\r`,"	":`\\t`},ze=/(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,Be=e=>e.split(``).map(e=>`\\u${e.charCodeAt(0).toString(16).padStart(4,`0`)}`).join(``),Ve=/("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;function He(e,t){let n=[],r=0;for(let{0:i,1:a,2:o,index:s}of e.matchAll(Ve)){let c=o===void 0?a===void 0?`value`:`text`:`name`;n.push(e.slice(r,s),t(c,a??i),o??``),r=s+i.length}return[...n,e.slice(r)]}const E=S(`sessionStorage`),D=`rollcall accounts ${new URL(`.`,document.baseURI).pathname}`,Ue=()=>{let e=JSON.parse(E.getItem(D)??`[]`);return Array.isArray(e)?e.filter(T).map(({key:e,label:t})=>({key:String(e),label:String(t)})):[]},We=e=>{e.length===0?E.removeItem(D):E.setItem(D,JSON.stringify(e))},Ge=e=>({key:e,label:`…${e.slice(-4)}`});function O(){let[e,t]=[Ue(),C()];return t===``||e.some(e=>e.key===t)?e:[...e,Ge(t)]}const Ke=()=>O().find(({key:e})=>e===C());function qe(e,t=``){let n=O(),r=n.find(t=>t.key===e),i=t.trim()===``?r??Ge(e):{key:e,label:t.trim()};We(r===void 0?[...n,i]:n.map(e=>e===r?i:e)),be(e)}function Je(){We(O().filter(({key:e})=>e!==C())),xe()}function Ye(){E.removeItem(D),xe()}const Xe=64*2**20;var Ze=class extends Error{constructor(){super(`The response is larger than ${String(Xe/2**20)} MB.`)}};async function Qe(e){let t=new TextDecoder,n=``,r=0,i=e.body?.getReader();for(;;){let{value:e}=await i?.read()??{};if(e===void 0)return n+t.decode();if(r+=e.length,r>Xe)throw await i?.cancel(),new Ze;n+=t.decode(e,{stream:!0})}}const k={id:`id`,data:`data`,hasMore:`has_more`,limit:`limit`,after:`after`,before:`before`};function $e(e){if(!T(e)||!T(e.paths))throw TypeError(`This is not an OpenAPI document.`);let t=e,n=et(t),r=Object.keys(t.paths).flatMap(e=>tt(t,n,e)??[]);if(r.length===0)throw TypeError(`The contract has no lists.`);let{title:i,version:a,description:o}=t.info??{};return{title:String(i),version:String(a),description:o??``,collections:r}}function et(e){let t=(n={})=>typeof n.$ref==`string`?t(n.$ref.split(`/`).slice(1).reduce((e,t)=>T(e)?e[t]:void 0,e)):n;return t}function tt(e,t,n){let r=e.paths[n]?.get,i=t(at(t,r)?.properties?.[k.data]).items;if(r===void 0||i===void 0||n.includes(`{`))return;let a=(r.parameters??[]).map(t).filter(e=>e.in===`query`),o=t(a.find(e=>e.name===k.limit)?.schema),s=[k.limit,k.after,k.before],c=a.flatMap(({name:e=``,schema:n})=>{let r=t(n).enum;return s.includes(e)||!Array.isArray(r)?[]:[{name:e,label:j(e),values:r.map(String)}]}),[l=r.summary??n]=r.tags??[];return{path:n,operation:r.operationId,title:l,description:e.tags?.find(e=>e.name===l)?.description??``,noun:l.toLowerCase(),one:ct((i.$ref??`record`).replace(/^.*\//,``)),filters:c,limit:{minimum:o.minimum??1,maximum:o.maximum??1/0,default:o.default??0},columns:Object.entries(t(i).properties??{}).flatMap(([e,n])=>st(t,e,n)),retrieval:ot(e,n),idFormat:nt(t(a.find(e=>e.name===k.after)?.schema))}}const nt=({pattern:e,example:t})=>e===void 0?void 0:{pattern:new RegExp(e,`u`),example:String(t)},A=({idFormat:e},t)=>e?.pattern.test(t)!==!1,rt=({idFormat:e})=>e===void 0?`This is not an id.`:`This is not an id. An id looks like \`${e.example}\`.`,it=({columns:e})=>e.find(({kind:e,isNullable:t})=>e===`value`&&!t);function at(e,t){let{content:n}=e(t?.responses?.[`200`]);return n===void 0?void 0:e(e(Object.values(n)[0]).schema)}function ot(e,t){return Object.entries(e.paths).find(([e])=>e.startsWith(`${t}/{`)&&e.indexOf(`}`)===e.length-1)?.[1].get?.operationId}function st(e,t,n){let r=e(n);if(r.enum?.length===1)return[];let i=Object.values(r.properties??{}).map(e),a=i.length>0&&i.every(e=>e.type===`integer`);return[{name:t,label:j(t),kind:t===k.id?`id`:r.enum===void 0?ut(r.example)===void 0?a?`counts`:`value`:`time`:`choice`,isNullable:r.nullable===!0}]}function j(e){let t=e.replaceAll(`_`,` `);return t===k.id?`ID`:t.charAt(0).toUpperCase()+t.slice(1)}const ct=e=>e.replaceAll(/(?<=.)[A-Z]/g,` $&`).toLowerCase(),lt=/^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,3})?\d*(?:([+-]\d\d)(:\d\d)?|Z)$/;function ut(e){let[,t,n,r=``,i=`+00`,a=`:00`]=lt.exec(String(e))??[];if(t===void 0)return;let o=new Date(`${t}T${String(n)}${r}${i}${a}`);return Number.isNaN(o.getTime())?void 0:o}const dt=`total`;function M({columns:e},t){let n=e.filter(({kind:e})=>e===`counts`).map(({name:e})=>t[e])[0],r=e.find(({kind:e,isNullable:t})=>e===`time`&&t);if(!T(n)||r===void 0)return;let{total:i,parts:a}=N(n);if(typeof i==`number`)return{done:a.reduce((e,[,t])=>e+(Number(t)||0),0),total:i,isRunning:t[r.name]===null}}function N({[dt]:e,...t}){return{total:e,parts:Object.entries(t)}}const ft=3e4;var P=class extends Error{title;status;requestId;retryAfter;excerpt;#e=Date.now();constructor(e,t,{status:n,requestId:r,retryAfter:i,excerpt:a}={}){super(t),this.title=e,this.status=n,this.requestId=r,this.retryAfter=i,this.excerpt=a}get isUnauthorized(){return this.status===401}get secondsLeft(){return Math.max(0,Math.ceil((this.retryAfter??0)-(Date.now()-this.#e)/1e3))}get waitMs(){return this.isPassing&&this.retryAfter!==void 0?Math.min(this.retryAfter*1e3,3e5):void 0}get isPassing(){return this.status===void 0||this.status===429||this.status>=500}};const pt=(e,t)=>async(n,{signal:r,etag:i})=>{let a=AbortSignal.timeout(ft);try{let o={headers:{...t()===``?{}:{authorization:`Bearer ${t()}`},...i===void 0?{}:{"if-none-match":i}},cache:`no-store`,signal:AbortSignal.any([r,a])},s=await fetch(new URL(`.${n}`,e),o);return s.status===304?void 0:await mt(s)}catch(e){throw r.throwIfAborted(),e instanceof P?e:e instanceof Ze?new P(`Too large`,e.message):a.aborted?new P(`No response`,`The server has not responded within ${String(ft/1e3)} seconds.`):new P(`Network failure`,`The server is unreachable, or the connection was closed.`)}};async function mt(e){let{ok:t,status:n,headers:r}=e,i=await Qe(e),a=ht(i);if(t&&T(a))return{body:a,etag:r.get(`etag`)??void 0};let o={status:n,requestId:r.get(`x-request-id`)??void 0,retryAfter:gt(r.get(`retry-after`))};if(!t&&T(a)&&typeof a.name==`string`&&typeof a.message==`string`)throw new P(a.name,a.message,o);let s=i.slice(0,500);throw new P(`Unexpected response`,`The response does not come from the API. It starts with:`,{...o,excerpt:s})}function ht(e){try{return Ne(e)}catch{return}}function gt(e){if(e===null)return;let t=/^\d+$/.test(e)?Number(e):(Date.parse(e)-Date.now())/1e3;return Number.isNaN(t)?void 0:Math.max(0,Math.ceil(t))}function _t(e){if(T(e)&&typeof e[k.id]==`string`)return e;throw new P(`Unexpected response`,"A record in the response has no `id`.")}function vt(e){let t=e?.[k.data];if(!Array.isArray(t))throw new P(`Unexpected response`,"The response has no `data`.");return t.map(_t)}var F=class{#e=new AbortController;async run(e,t){this.stop();let{signal:n}=this.#e=new AbortController;try{await e(n)}catch(e){n.aborted||t(e)}}stop(){this.#e.abort()}};const yt=1e3,bt=1e4;async function xt(e,t,n,r=`changed`){let i=r===`idle`?bt:yt,a=!1;for(;;){await n(i);try{let n=await e();if(a&&t(void 0),a=!1,n===`over`)return;i=n===`idle`?bt:n===`changed`?yt:Math.min(i*1.5,5e3)}catch(e){if(!(e instanceof P)||!e.isPassing)throw e;a=!0,t(e);let n=Math.min(Math.max(i,yt)*2,6e4);i=Math.max(n,e.waitMs??0)}}}function St(e,t){let[,n=``,r=``]=/^#?([^?]*)\??(.*)$/s.exec(e)??[],i=new URLSearchParams(r);for(let e of t){if(n===e.path)return{collection:e,query:i,id:void 0};if(!n.startsWith(`${e.path}/`))continue;let t=Ct(n.slice(e.path.length+1));if(t!==void 0&&![``,`.`,`..`].includes(t))return{collection:e,query:i,id:t}}}function Ct(e){try{return e.includes(`/`)?void 0:decodeURIComponent(e)}catch{return}}const I=({path:e},t)=>t.size===0?e:`${e}?${t.toString()}`,L=({path:e},t)=>`${e}/${encodeURIComponent(t.toWellFormed())}`;function R({collection:e,query:t,id:n}){return`#${n===void 0?e.path:L(e,n)}${t.size===0?``:`?${t.toString()}`}`}function z(e,t){let n=new URLSearchParams(e),r={[k.after]:void 0,[k.before]:void 0,...t};for(let[e,t]of Object.entries(r))t===void 0?n.delete(e):n.set(e,t);return n}function wt(e,{ids:t,hasMore:n}){let[r,i]=[t[0],t.at(-1)],a=e.has(k.before)?n:e.has(k.after),o=e.has(k.before)||n;return{newer:a&&r!==void 0?z(e,{[k.before]:r}):void 0,older:o&&i!==void 0?z(e,{[k.after]:i}):void 0}}function Tt(e,t,n,{limit:r}){let i=t.indexOf(n),[a,o]=[t[i-1],t[i+1]];return z(e,{...o===void 0?{[k.after]:a}:{[k.before]:o},[k.limit]:String(r.minimum)})}const Et=`ROLLCALL_API_KEY`,Dt=e=>`curl -sS -H "Authorization: Bearer $${Et}" '${e.replaceAll(`'`,`'\\''`)}'`;function Ot(e,t,{query:n=new URLSearchParams,id:r}){let i=`client.${kt(t)}`,a=r===void 0?`const page = await ${i}.list(${jt(n)});`:`const ${At(t.one)} = await ${i}.get(${B(r)});`,o=r===void 0?`page.data`:At(t.one);return[`import { createClient } from '@rollcall/client';`,``,`// The key comes from ${Et}.`,`const client = createClient({ baseUrl: ${B(e.replace(/\/$/,``))} });`,a,`console.log(${o});`,``].join(`
`)}const kt=({operation:e})=>e.charAt(4).toLowerCase()+e.slice(5),At=e=>e.replaceAll(/ (.)/g,(e,t)=>t.toUpperCase());function jt(e){let t=[...new Map(e)].map(([e,t])=>`${/^[a-z_]\w*$/i.test(e)&&e!==`__proto__`?e:`[${B(e)}]`}: ${e===k.limit&&/^[1-9]\d{0,8}$/.test(t)?t:B(t)}`);return t.length===0?``:`{ ${t.join(`, `)} }`}const B=e=>`'${e.replaceAll(/[\\']/g,`\\$&`).replaceAll(/[^ -~]/gu,e=>Be(e))}'`,Mt=1e4,Nt=100*2**20;var Pt=class{route;state=`running`;failure;isCut=!1;#e=[];#t=0;#n=new Set;#r=[];#i=0;#a=new F;#o;constructor(e,t){this.route=e,this.#o=t}get count(){return this.#e.length}run(){this.#d(`running`),this.#a.run(e=>this.#s(e),e=>{let t=e instanceof P?e:new P(`Console error`,String(e));t.isUnauthorized?this.#o.unauthorized(t):this.#d(`failed`,t)})}cancel(){this.#a.stop()}async#s(e){for(;;){let t=await this.#c(e);if(t===void 0)continue;this.#l();let n=vt(t);this.#u(n);let r=t[k.hasMore]===!0&&n.length>0;if(this.isCut=r&&(this.count>=1e4||this.#t>=Nt),!r||this.isCut)break;this.#o.changed()}this.#d(`complete`),this.#o.save(Ft(this.route),this.#e)}async#c(e){let{collection:t,query:n}=this.route,r=this.#r.at(-1),i=String(t.limit.maximum);try{let a=I(t,z(n,{[k.limit]:i,[k.after]:r})),o=await this.#o.send(a,{signal:e});return e.throwIfAborted(),o?.body}catch(t){if(e.throwIfAborted(),!(t instanceof P))throw t;if(t.status===404&&this.#r.length>1){this.#r.pop(),this.#l();return}if(t.waitMs===void 0)throw t;this.#d(`waiting`,t),await this.#o.sleep(e)(t.waitMs),this.#d(`running`);return}}#l(){this.#i+=1;let{maximum:e}=this.route.collection.limit;if(!(this.#i<=2*1e4/e))throw new P(`Unexpected response`,`The list does not end: its pages repeat records.`)}#u(e){for(let t of e){if(this.count>=1e4)return;if(this.#r.push(t.id),this.#n.has(t.id))continue;this.#n.add(t.id);let e=`${JSON.stringify(t)}\n`;this.#e.push(e),this.#t+=e.length}}#d(e,t){this.state=e,this.failure=t,this.#o.changed()}};function Ft({collection:e,query:t}){let n=e.filters.flatMap(({name:e})=>t.get(e)??[]);return`${[e.noun,...n].join(`-`).replaceAll(/[^a-z0-9]+/gi,`-`)}.ndjson`}async function It(e,t,n){let{after:r,before:i}=k,a=e=>new URLSearchParams({[k.limit]:String(t),...e}),[o]=await n(a({[r]:e})),[s]=o===void 0?await n(a({[i]:e})):[],c=a(o===void 0?s===void 0?{}:{[r]:s.id}:{[i]:o.id}),l=(await n(c)).find(t=>t.id===e.toLowerCase());return l===void 0?void 0:{item:l,query:c}}function Lt(e,t){if(e.retrieval!==void 0)return L(e,t);let n={[k.limit]:String(e.limit.minimum),[k.after]:t};return I(e,new URLSearchParams(n))}async function Rt(e,t,n){let r=async t=>(await n(Lt(t,e)),t);try{return await Promise.any(t.filter(t=>A(t,e)).map(r))}catch(e){let t=e instanceof AggregateError?e.errors:[e];if(t.every(e=>e instanceof P&&e.status===404))return;throw t.find(e=>e instanceof P&&e.status!==404)??e}}var zt=class{isSearching=!1;problem;#e=new F;#t;constructor(e){this.#t=e}find(e){let{collections:t,send:n,found:r,unauthorized:i}=this.#t,a=Bt(e);if(this.clear(),a!==``){if(!this.isComplete(e)){this.problem=t[0]===void 0?`This is not an id.`:rt(t[0]),this.#t.changed();return}this.isSearching=!0,this.#t.changed(),this.#e.run(async e=>{let i=await Rt(a,t,t=>n(t,{signal:e}));e.throwIfAborted(),this.isSearching=!1,i===void 0?this.problem=`Not found in this account.`:r(i,a),this.#t.changed()},e=>{this.isSearching=!1;let t=e instanceof P?e:new P(`Console error`,String(e));t.isUnauthorized?i(t):this.problem=t,this.#t.changed()})}}isComplete(e){return this.#t.collections.some(t=>A(t,Bt(e)))}clear(){this.#e.stop(),this.isSearching=!1,this.problem=void 0,this.#t.changed()}};const Bt=e=>e.replace(/^[\s"'`]+|[\s"'`,;]+$/g,``),Vt=[{keys:[`j`,`↓`],does:`Next row, or next record while one is open`,act:`next`},{keys:[`k`,`↑`],does:`Previous row or record`,act:`previous`},{keys:[`Enter`],does:`Open the record`},{keys:[`Esc`],does:`Close the record`,act:`close`},{keys:[`n`],does:`Newer page`,act:`newer`},{keys:[`o`],does:`Older page`,act:`older`},{keys:[`/`],does:`Find by id`,act:`find`},{keys:[`c`],does:`Copy the record's id`,act:`copy`},{keys:[`r`],does:`Refresh`,act:`reload`},{keys:[`?`],does:`Show keyboard shortcuts`,act:`help`}],Ht={ArrowDown:`↓`,ArrowUp:`↑`,Escape:`Esc`},Ut=e=>Vt.find(({keys:t})=>t.includes(Ht[e]??e))?.act,Wt=S(`localStorage`),Gt=`rollcall keys`,Kt=()=>Wt.getItem(Gt)!==`off`;function qt(e){Wt.setItem(Gt,e?`on`:`off`)}function Jt(e){let{key:t,target:n,ctrlKey:r,metaKey:i,altKey:a,isComposing:o}=e;if(!(e.defaultPrevented||r||i||a||o)&&!(!(n instanceof Element)||n.closest(`dialog`)!==null)){if(t===`Escape`)return document.querySelector(`:popover-open`)===null?`close`:void 0;if(n.closest(`input, select, textarea`)===null)return t.startsWith(`Arrow`)?n.closest(`tbody`)===null?void 0:Ut(t):Kt()?Ut(t):void 0}}const Yt=()=>[...document.querySelectorAll(`tbody tr`)],V=e=>Yt().find(t=>t.dataset.id===e.toLowerCase())?.querySelector(`a`)??void 0;function H(e){document.querySelector(e)?.focus()}function Xt(){let e=``;return()=>{let t=document.querySelector(`nav [aria-current]`);t===null||t.textContent===e||(e=t.textContent,t.scrollIntoView({block:`nearest`,inline:`center`}))}}function Zt(){let e,t=Xt();return(n,r,i)=>{let a=document.activeElement??document.body,o=a.closest(`tbody tr`),s=o?.dataset.id;i(),t();let c=e;e={route:n,hasSession:r},c!==void 0&&(r&&!c.hasSession?H(n?.id===void 0?`h1`:`#record-title`):n?.id!==c.route?.id&&n?.id!==void 0?(H(`#record-title`),V(n.id)?.closest(`tr`)?.scrollIntoView({block:`nearest`})):n?.id===void 0&&c.route?.id!==void 0?(V(c.route.id)??document.querySelector(`h1`))?.focus():s!==void 0&&o?.dataset.id!==s?V(s)?.focus():a!==document.body&&document.activeElement===document.body&&H(`h1`))}}function Qt(e,t,n){switch(e){case`next`:return tn(1,t,n);case`previous`:return tn(-1,t,n);case`newer`:case`older`:return $t(`[data-step="${e}"][href]`);case`find`:return H(`#find`),!0;case`copy`:return en(t,n);case`reload`:return n.reload(),!0;case`help`:return n.help(),!0;case`close`:return n.close(),t?.id!==void 0}}function $t(e){let t=document.querySelector(e);return t?.click(),t!==null}function en(e,t){let n=e?.id??document.activeElement?.closest(`tbody tr`)?.dataset.id;return n!==void 0&&t.copy(`id`,n),n!==void 0}function tn(e,t,n){let r=Yt(),i=document.activeElement?.closest(`tbody tr`),a=r.findIndex(e=>t?.id===void 0?e===i:e.dataset.id===t.id.toLowerCase()),o=(a===-1?r[e===1?0:r.length-1]:r[a+e])?.dataset.id;return o===void 0?!1:(t?.id===void 0?V(o)?.focus():n.go(R({...t,id:o})),!0)}const nn=S(`localStorage`),rn=`rollcall refresh`,an=new EventTarget,on=()=>nn.getItem(rn)!==`off`;function sn(e){nn.setItem(rn,e?`on`:`off`),an.dispatchEvent(new Event(`change`))}function cn(e){return async t=>{for(await ln(e)(t);document.hidden||!on();)await un(e,e=>(document.addEventListener(`visibilitychange`,e),an.addEventListener(`change`,e),()=>{document.removeEventListener(`visibilitychange`,e),an.removeEventListener(`change`,e)}))}}const ln=e=>t=>un(e,e=>{let n=setTimeout(e,t);return()=>{clearTimeout(n)}});function un(e,t){return new Promise((n,r)=>{e.throwIfAborted();let i=()=>{o(),e.removeEventListener(`abort`,a),n()},a=()=>{o(),r(e.reason)},o=t(i);e.addEventListener(`abort`,a,{once:!0})})}const dn=(e,{body:t,etag:n})=>({route:e,target:I(e.collection,e.query),items:vt(t),hasMore:t[k.hasMore]===!0,body:t,etag:n});function fn(e,t){if(e.items.every((e,n)=>e.id===t.items[n]?.id))return t;let n=new Map(t.items.map(e=>[e.id,e])),r=e.items.map(e=>n.get(e.id)??e);return{...e,items:r,body:{...e.body,[k.data]:r},etag:t.etag,next:t}}function pn({items:e,next:t}){if(t===void 0)return``;let n=new Set(e.map(e=>e.id)),r=t.items.findIndex(e=>n.has(e.id));return r===-1?t.items.length===0?`List changed`:`${String(t.items.length)}+ new`:r===0?`List changed`:`${String(r)} new`}const mn=(e,t)=>t!==void 0&&M(e,t)?.isRunning===!0,hn=({route:e,items:t,next:n})=>(n?.items??t).some(t=>mn(e.collection,t));function gn(e,t,n){let r=e.columns.find(({kind:e})=>e===`choice`);return n.filter(t=>!mn(e,t)).filter(n=>mn(e,t.find(({id:e})=>e===n.id))).map(t=>{let n=r===void 0?`ended`:w(t[r.name]).replaceAll(`_`,` `);return`${j(e.one)} ${w(t.id.slice(0,8))}: ${n}.`}).join(` `)}var _n=class{#e=new Map;add(e,{ids:t,hasMore:n,after:r,isFromHead:i,isFiltered:a}){let o=this.#e.get(e)??{ids:new Set,reached:new Set,isWhole:!1};this.#e.set(e,o);for(let e of t)o.ids.add(e);if(!a&&(i||r!==void 0&&o.reached.has(r))){for(let e of t)o.reached.add(e);o.isWhole||=!n}}label(e){let t=this.#e.get(e);return t===void 0?``:`${String(t.ids.size)}${t.isWhole?``:`+`}`}},vn=class{seen=new _n;page;record;failures={};news=``;waiting=new Set;#e=new F;#t=new F;#n=``;#r=Promise.resolve();#i;constructor(e){this.#i=e}go(e){I(e.collection,e.query)!==this.#n&&this.#a(e);let{collection:t,id:n}=e;n===void 0?this.#l():(this.record?.id!==n||this.record.collection!==t)&&this.#o(t,n)}reload(e){this.#a(e),e.id!==void 0&&this.#o(e.collection,e.id)}showNext(){this.page?.next!==void 0&&this.#p(this.page.next)}leave(){this.stop(),this.#n=``,this.record=void 0}stop(){this.#e.stop(),this.#t.stop()}#a(e){let{collection:t}=e,n=this.#n=I(t,e.query);this.page?.route.collection!==t&&(this.page=void 0),this.failures.page=void 0,this.news=``;let{promise:r,resolve:i}=Promise.withResolvers();this.#r=r,this.#e.run(async t=>{let r=await this.#d(n,t);this.#p(dn(e,r)),i(void 0);let a=e=>this.page===void 0||!hn(this.page)?`idle`:e?`changed`:`unchanged`;await xt(async()=>{let r=await this.#i.send(n,{signal:t,etag:this.page?.etag});return t.throwIfAborted(),r!==void 0&&this.page!==void 0&&this.#p(fn(this.page,dn(e,r))),a(r!==void 0)},this.#u(`page`),this.#i.pause(t),a(!0))},e=>{this.page?.target!==n&&(this.page=void 0),this.#v(`page`,e),i(void 0)})}#o(e,t){if(this.record={collection:e,id:t},this.#g(),this.failures.record=void 0,!A(e,t)){this.#t.stop(),this.failures.record=new P(`Malformed id`,rt(e),{status:422});return}let n=e.retrieval===void 0?this.#c(e,t):this.#s(e,t);this.#t.run(n,e=>{this.#v(`record`,e)})}#s(e,t){let n=L(e,t);return async r=>{let i=await this.#f(n,r);i!==void 0&&this.#m(_t(i.body),i.etag);let a=()=>this.record?.item===void 0||M(e,this.record.item)?.isRunning!==!0;a()||await xt(async()=>{let e=this.#_(t)?void 0:await this.#i.send(n,{signal:r,etag:this.record?.etag});return r.throwIfAborted(),e!==void 0&&this.#m(_t(e.body),e.etag),a()?`over`:e===void 0?`unchanged`:`changed`},this.#u(`record`),this.#i.pause(r))}}#c(e,t){return async n=>{if(await this.#r,n.throwIfAborted(),this.#g(),this.record?.item===void 0){let r=await It(t,e.limit.minimum,async t=>vt((await this.#f(I(e,t),n))?.body));if(r===void 0)throw new P(`No result`,`The list changed during the search.`);this.record={collection:e,id:t,...r}}this.#i.changed()}}#l(){this.#t.stop(),this.record=void 0,this.failures.record=void 0}#u(e){return t=>{this.failures[e]=t,this.#i.changed()}}async#d(e,t){for(;;)try{let n=await this.#f(e,t);if(this.failures.page=void 0,n!==void 0)return n}catch(e){if(!(e instanceof P)||e.waitMs===void 0)throw e;this.#u(`page`)(e),await this.#i.pause(t)(e.waitMs)}}async#f(e,t){this.waiting.add(e),this.#i.changed();try{let n=await this.#i.send(e,{signal:t});return t.throwIfAborted(),n}finally{this.waiting.delete(e),this.#i.changed()}}#p(e){let{items:t,hasMore:n,route:r}=e;this.#h(r.collection,this.page?.items,t),this.page=e;let{query:i,collection:a}=r,o=i.get(k.after)??void 0;this.seen.add(a.path,{ids:t.map(e=>e.id),hasMore:n,after:o,isFromHead:o===void 0&&!i.has(k.before),isFiltered:a.filters.some(e=>i.has(e.name))}),this.#g(),this.#i.changed()}#m(e,t){let{page:n,record:r}=this;r!==void 0&&(this.#h(r.collection,r.item===void 0?[]:[r.item],[e]),this.record={...r,item:e,etag:t}),n!==void 0&&this.#_(e.id)&&(this.page={...n,items:n.items.map(t=>t.id===e.id?e:t)}),this.#i.changed()}#h(e,t=[],n){let r=gn(e,t,n);r!==``&&(this.news=r)}#g(){let{record:e,page:t}=this;if(e===void 0||t?.route.collection!==e.collection)return;let n=e.id.toLowerCase(),r=t.items.find(e=>e.id===n);if(r===void 0)return;let i=t.items.map(e=>e.id);this.record={...e,item:r,query:Tt(t.route.query,i,n,e.collection)}}#_(e){let{page:t,record:n}=this;return t===void 0||t.route.collection!==n?.collection?!1:t.items.some(t=>t.id===e.toLowerCase())}#v(e,t){let n=t instanceof P?t:new P(`Console error`,String(t));n.isUnauthorized?this.#i.unauthorized(n):this.failures[e]=n,this.#i.changed()}};const yn=/^[\s\u034f\u115f\u1160\u2800\u3164\uffa0]+$/u;function bn({kind:e},t,{isBrief:n=!1}={}){if(t==null)return g`<span class="none" role="img" aria-label="none">–</span>`;if(t===``)return g`<span class="none">empty</span>`;let r=w(t);if(e===`choice`)return g`<span class="badge" data-tone=${Tn(r)}>${r.replaceAll(`_`,` `)}</span>`;let i=e===`time`?ut(t):void 0;if(i!==void 0)return g`<time datetime=${i.toISOString()} title=${r}
      >${(n?xn:Sn).format(i)}</time
    >`;if(e===`counts`&&T(t))return En(t);if(Ie(t))return g`<span class="number">${r}</span>`;if(yn.test(r))return g`<bdi class="blank">${`"${r.slice(0,160)}"`}</bdi> <span class="none">blank</span>`;let a=r.length>160;return g`<bdi title=${a?`Truncated. The JSON of the record shows the full value.`:v}
    >${a?`${r.slice(0,160)}…`:r}</bdi
  >`}const xn=new Intl.DateTimeFormat(void 0,{dateStyle:`medium`,timeStyle:`short`}),Sn=new Intl.DateTimeFormat(void 0,{dateStyle:`medium`,timeStyle:`medium`}),{timeZone:Cn}=Sn.resolvedOptions(),wn={bad:/\b(fail|failed|error|rejected|blocked|expired)\b/,busy:/\b(in progress|running|processing)\b/,good:/\b(enabled|active|completed|done|succeeded|ok)\b/};function Tn(e){let t=e.replaceAll(/[_-]/g,` `);return Object.keys(wn).find(e=>wn[e]?.test(t))??`plain`}function En(e){let{total:t,parts:n}=N(e),r=n.filter(([,e])=>e!==0);return g`<span class="counts"
    >${r.length===0?g`<span class="none">${U(t??0)}</span>`:r.map(([e,t])=>g`<span>${U(t)} ${e}</span>`)}</span
  >`}function Dn(e,t,n){let r=n[t.name];if(t.kind!==`counts`||!T(r)||M(e,n)===void 0)return bn(t,r,{isBrief:!0});let i=N(r).parts.filter(([e,t])=>Tn(e)===`bad`&&t!==0);return g`<div class="tally">
    ${kn(e,n)}${i.map(([e,t])=>g`<span class="bad">${U(t)} ${e}</span>`)}
  </div>`}const U=e=>typeof e==`number`?e.toLocaleString():w(e),On=e=>e.length>9?`${w(e.slice(0,8))}…`:w(e);function kn(e,t){let n=M(e,t);if(n===void 0)return v;let{done:r,total:i,isRunning:a}=n;return g`<span class="progress" data-running=${a}>
    <progress
      aria-label="Progress of ${e.one} ${On(t.id)}"
      value=${r}
      max=${Math.max(i,1)}
    ></progress>
    <span class="number">${r===i?U(i):`${U(r)} of ${U(i)}`}</span>
  </span>`}const W=e=>e.split("`").map((e,t)=>t%2==1?g`<code>${w(e)}</code>`:w(e));function An({message:e,acts:t},n,r){return g`<div class="copy" role="group" aria-label="Copy the ${n} as">
    <span aria-hidden="true">Copy</span>
    ${Object.entries(r).map(([r,i])=>{let a=`${n} as ${r}`;return g`<button
        type="button"
        class=${e===`Copied: ${a}`?`copied`:``}
        @click=${()=>{t.copy(a,i())}}
      >
        ${r}
      </button>`})}
  </div>`}function jn({contract:e,route:t,hash:n,rejection:r,accounts:i,isAdding:a,acts:o}){let s=e=>{e.preventDefault();let t=document.getElementById(`key`),n=document.getElementById(`label`);!(t instanceof HTMLInputElement)||!(n instanceof HTMLInputElement)||o.enter(t.value,n.value)},[c=``]=e.description.split(/(?<=\.)\s/);return g`<section class="ask">
    <h1>${a?`Add account`:`${e.title} console`}</h1>
    <p class="lead">${W(c)}</p>
    <form @submit=${s} novalidate>
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
      </div>
      ${r===void 0?v:Nn(r)}
      <label for="label">Label <span class="quiet">(optional)</span></label>
      <input id="label" autocomplete="off" maxlength="40" placeholder="Last four characters of the key" />
      <div class="line">
        <button class="primary" type="submit">Sign in</button>
        ${a?g`<button type="button" @click=${o.cancel}>Cancel</button>`:v}
      </div>
      <p id="key-note" class="quiet">
        The key is stored in this tab until you close the tab or sign out. It is sent only to this server, and never
        appears in links or in copied text.
      </p>
    </form>
    ${a||i.length===0?v:Mn(i,o)}
    ${t===void 0||a?v:g`<p class="quiet">Signing in opens <code>${w(n.slice(1))}</code>.</p>`}
    <p class="quiet">
      The API contract, version ${e.version}: <a href="openapi.yaml">openapi.yaml</a
      ><span class="of-reference">, <a href="docs">API reference</a></span
      >.
    </p>
  </section>`}const Mn=(e,t)=>g`<p class="ways">
    Continue with
    ${e.map(e=>g`<button type="button" @click=${Fn(t,e)}>${w(e.label)}</button>`)}
  </p>`;function Nn(e){if(typeof e==`string`)return g`<p id="key-rejection" class="rejection" role="alert">${e}</p>`;let{status:t,title:n,message:r,requestId:i}=e;return g`<p id="key-rejection" class="rejection" role="alert">
    <strong>${t} ${w(n)}</strong> ${W(r)}
    ${i===void 0?v:g`<br /><small>X-Request-Id <code>${i}</code></small>`}
  </p>`}function Pn({accounts:e,account:t,acts:n}){let r=(e,t,n=!1)=>g`<li>
      <button
        type="button"
        popovertarget="accounts"
        popovertargetaction="hide"
        aria-current=${n?`true`:v}
        @click=${t}
      >
        ${e}
      </button>
    </li>`,i=w(t?.label??``);return g`<button class="tool account" type="button" popovertarget="accounts" aria-label="Account ${i}">
      <span>${i}</span> ▾
    </button>
    <div id="accounts" class="accounts" popover>
      <h2>Accounts</h2>
      <ul>
        ${e.map(e=>r(w(e.label),Fn(n,e),e.key===t?.key))}
        ${r(`Add account`,n.add)}
      </ul>
      <ul>
        ${r(`Sign out`,n.signOut)}
        ${e.length>1?r(`Sign out of all accounts`,n.signOutOfAll):v}
      </ul>
    </div>`}const Fn=(e,{key:t})=>()=>{e.switchTo(t)};function G(e,{again:t,isRetried:n=!1,links:r=[]}){let{title:i,message:a,status:o,requestId:s,retryAfter:c,excerpt:l}=e;return g`<section class="problem" role="alert">
    <h2>${o===void 0?v:g`<span class="code">${o}</span> `}${w(i)}</h2>
    <p>${W(a)}</p>
    ${l===void 0?v:g`<pre class="excerpt" tabindex="0">${Fe(l.replaceAll(`\r
`,`
`).replaceAll(`	`,`  `))||`(empty)`}</pre>`}
    ${s===void 0?v:g`<p class="quiet">X-Request-Id <code>${s}</code></p>`}
    ${c===void 0?v:g`<p class="quiet">${In(e,n)}</p>`}
    <p class="ways">
      ${t===void 0?v:g`<button type="button" @click=${t}>Try again</button>`}
      ${r.map(({href:e,text:t})=>g`<a href=${e}>${t}</a>`)}
    </p>
  </section>`}function In(e,t){let{secondsLeft:n}=e,[r,i]=t?[`Retrying in`,`Retrying…`]:[`You can try again in`,`You can try again now.`];return g`<span role="timer">${n===0?i:`${r} ${String(n)} s`}</span>`}function Ln(e,{collection:t,query:n},{acts:r,isRefreshOn:i}){let a=r.reload,o=n.get(k.after)??n.get(k.before),s=(e,n)=>({text:e,href:R({collection:t,query:n,id:void 0})}),{status:c,requestId:l}=e;if(c===404&&o!==null){let e=`This link points to a page next to ${zn(t.one)} that is not in this account.`,r=[s(`Go to the first page`,z(n,{}))];return G(new P(`Page not found`,e,{requestId:l}),{again:a,links:r})}if(c!==422)return G(e,{again:a,isRetried:i});let u=s(`Reset filters`,new URLSearchParams);return o===null||A(t,o)?G(e,{links:[u]}):G(new P(`Page not found`,`This link points to a page next to \`${o}\`, which is not an id.`,{requestId:l}),{links:[u]})}function Rn(e,{one:t},n){let{status:r,title:i,message:a,requestId:o}=e;return r===422?G(new P(i,a,{requestId:o}),{}):G(r===404?new P(`Not found in this account`,`No ${t} in this account has this id.`,{requestId:o}):e,{again:n})}const zn=e=>`${/^[aeiou]/.test(e)?`an`:`a`} ${e}`;function Bn(e,{endDownload:t}){let{count:n,state:r}=e,{noun:i,one:a}=e.route.collection,o=r===`complete`||r===`failed`;return g`<section class="download" aria-label="Download">
    <p>
      <strong>${r===`complete`?`Downloaded`:`Downloading`}</strong>
      <span class="number">${U(n)}</span> ${n===1?a:i}
    </p>
    ${o?v:g`<progress aria-label="Records downloaded" max=${Mt} value=${n}></progress>`}
    <p class="quiet" role="status">${Vn(e)}</p>
    <p class="ways">
      ${r===`failed`?g`<button
              type="button"
              @click=${()=>{e.run()}}
            >
              Resume
            </button>`:v}
      <button type="button" @click=${t}>${r===`complete`?`Close`:`Cancel`}</button>
    </p>
  </section>`}function Vn({state:e,failure:t}){if(e===`failed`&&t!==void 0){let{status:e,title:n,message:r}=t;return g`<span class="rejection"><strong>${e} ${w(n)}</strong> ${W(r)}</span>`}if(e===`waiting`&&t!==void 0)return g`The server is busy. ${In(t,!0)}`;let n=`${Mt.toLocaleString()} records`;return e===`complete`?`The list has more records. A file has at most ${n}.`:`At most ${n}.`}function Hn(e){let{problem:t}=e;return g`<search class="find">
    <form @submit=${t=>{t.preventDefault(),e.find(Wn(t)?.value??``)}}>
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
        @input=${t=>{let n=Wn(t)?.value??``;e.isComplete(n)?e.find(n):e.clear()}}
      />
      <button type="submit">Find</button>
    </form>
    <p id="found" role="status">${e.isSearching?`Searching…`:Un(t)}</p>
  </search>`}function Un(e){if(e===void 0)return v;if(typeof e==`string`)return g`<span class="rejection">${W(e)}</span>`;let{status:t,title:n,message:r}=e;return g`<span class="rejection"><strong>${t} ${w(n)}</strong> ${W(r)}</span>`}function Wn({currentTarget:e}){if(!(e instanceof Element))return;let t=e.parentElement?.querySelector(`#find`);return t instanceof HTMLInputElement?t:void 0}function Gn(e,t,n){let{collection:r,query:i}=n,{page:a,failures:o}=t,s=a?.target!==I(r,i);return g`
    <h1 tabindex="-1">${r.title}</h1>
    <p class="quiet">${W(r.description)}</p>
    ${Jn(e,n,a)}
    ${o.page===void 0?v:Ln(o.page,n,e)}
    <div class="changes" role="status">${Kn(a,e.acts.show)}</div>
    ${a===void 0?v:g`<div class="list" aria-busy=${s}>${Yn(a,n)}</div>`}
    ${a===void 0?v:$n(t,a,n)}
  `}function Kn(e,t){let n=e===void 0?``:pn(e);return n===``?v:g`<button type="button" class="primary" @click=${t}>${n}: show</button>`}const qn=[5,10,25,50,100];function Jn(e,{collection:t,query:n},r){let{acts:i,base:a}=e,o=e=>({target:r})=>{if(!(r instanceof HTMLSelectElement))return;let a=z(n,{[e]:r.value===``?void 0:r.value});i.go(R({collection:t,query:a,id:void 0}))},s=(e,t,r,i)=>{let a=n.get(e)??``,s=a===``||r.includes(a)?r:[...r,a];return g`<label class="field"
      ><span>${t}</span>
      <select data-name=${e} @change=${o(e)}>
        <option value="" ?selected=${a===``} .selected=${a===``}>${i}</option>
        ${s.map(e=>g`<option value=${e} .selected=${e===a}>${w(e).replaceAll(`_`,` `)}</option>`)}
      </select></label
    >`},{minimum:c,maximum:l,default:u}=t.limit,d=[...new Set([...qn,l])].filter(e=>e>=c&&e<=l&&e!==u),f=new URL(`.${I(t,n)}`,a).href;return g`<div class="controls">
    ${t.filters.map(({name:e,label:t,values:n})=>s(e,t,n,`All`))}
    ${s(k.limit,`Page size`,d.map(String),String(u))}
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
    <button type="button" @click=${i.download}>Download</button>
    ${An(e,`page`,{curl:()=>Dt(f),"client code":()=>Ot(a,t,{query:n}),...r===void 0?{}:{JSON:()=>Pe(r.body)}})}
  </div>`}const Yn=(e,t)=>e.items.length===0?Xn(e.route):Zn(e,t);function Xn({collection:e,query:t}){let{noun:n,filters:r}=e,i=r.some(e=>t.has(e.name)),[a]=[t.has(k.after)?`older`:``,t.has(k.before)?`newer`:``].filter(Boolean),o=(t,n)=>g`<p><a href=${R({collection:e,query:t,id:void 0})}>${n}</a></p>`;return a===void 0?i?g`<div class="empty">
    <p>No ${n} match the filter.</p>
    ${o(z(t,Object.fromEntries(r.map(e=>[e.name,void 0]))),`Show all ${n}`)}
  </div>`:g`<div class="empty"><p>This account has no ${n}.</p></div>`:g`<div class="empty">
      <p>${i?`No ${a} ${n} match the filter.`:`No ${a} ${n}.`}</p>
      ${o(z(t,{}),`Go to the first page`)}
    </div>`}function Zn({items:e,route:{collection:t,query:n}},{id:r}){let{columns:i,noun:a}=t,o=it(t),s=(e,n,r)=>{if(e.kind===`id`)return v;let i=Dn(t,e,n);return g`<td role="cell" data-kind=${e.kind} data-label=${e.label}>
      ${e===o?g`<a class="name" href=${r}>${i}</a>`:i}
    </td>`};return g`<table role="table">
    <caption class="unseen">
      ${a}, newest first
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        <th role="columnheader" scope="col">${j(k.id)}</th>
        ${i.map(({kind:e,label:t})=>e===`id`?v:g`<th role="columnheader" scope="col" data-kind=${e}>${t}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${e.map(e=>{let a=R({collection:t,query:n,id:e.id}),o=r?.toLowerCase()===e.id;return g`<tr role="row" data-id=${e.id} aria-current=${o?`true`:v} @click=${Qn}>
      <th role="rowheader" scope="row">
        <a href=${a} title=${e.id}><code>${On(e.id)}</code></a>
      </th>
      ${i.map(t=>s(t,e,a))}
    </tr>`})}
    </tbody>
  </table>`}function Qn({target:e,currentTarget:t}){!(e instanceof Element)||!(t instanceof Element)||e.closest(`a`)!==null||getSelection()?.isCollapsed===!1||t.querySelector(`a`)?.click()}function $n(e,{items:t,hasMore:n,route:{collection:r,query:i}},a){let{newer:o,older:s}=wt(i,{ids:t.map(e=>e.id),hasMore:n}),c=i.has(k.after)||i.has(k.before),l=(e,t,n)=>n===void 0?g`<a class="step" role="link" aria-disabled="true" data-step=${t}>${e}</a>`:g`<a class="step" data-step=${t} href=${R({collection:r,query:n,id:void 0})} @click=${er}
          >${e}</a
        >`;return g`<nav class="foot" aria-label="Pages">
    <p class="quiet">
      ${tr(e,a)}<span class="zone"
        >Times are in ${Cn}. Hover over a time to see the API's value.</span
      >
    </p>
    <div class="steps">
      ${l(`First`,`first`,c?z(i,{}):void 0)} ${l(`← Newer`,`newer`,o)}
      ${l(`Older →`,`older`,s)}
    </div>
  </nav>`}function er(){scrollTo(0,0)}function tr(e,t){let n=e?.page;if(n===void 0||t===void 0||e?.waiting.has(n.target)===!0)return``;let{noun:r,one:i}=n.route.collection,{query:a}=n.route,o=n.items.length,s=a.has(k.before)?`newer`:`older`;if(o===0)return`No ${r}.`;let c=n.hasMore?`${j(s)} ones available.`:`No ${s} ones.`;return`Showing ${String(o)} ${o===1?i:r}, newest first. ${c}`}function nr(e,{record:t,failures:n},r){let{collection:i,id:a=``}=r,o=t?.item;return g`<aside class="record" aria-labelledby="record-title">
    <header>
      <h2 id="record-title" tabindex="-1">
        <span class="kind">${i.one}</span>
        <code>${w(a)}</code>
      </h2>
      ${rr(e,a)}
      <a class="close" href=${R({...r,id:void 0})} aria-label="Close the record" title="Close (Esc)"
        >✕</a
      >
    </header>
    <div class="body">
      ${n.record===void 0?v:Rn(n.record,i,e.acts.reload)}
      ${t===void 0||o===void 0?v:ir(e,t,o)}
    </div>
  </aside>`}const rr=({message:e,acts:t},n)=>g`<button
    type="button"
    class=${e===`Copied: id`?`copy-id copied`:`copy-id`}
    aria-keyshortcuts="c"
    @click=${()=>{t.copy(`id`,n)}}
  >
    Copy id
  </button>`;function ir(e,t,n){let{collection:r}=t;return g`
    ${kn(r,n)}
    <dl class="properties">${r.columns.map(e=>ar(e,n[e.name]))}</dl>
    <div class="json-head">
      <h3>JSON</h3>
      ${An(e,r.one,or(e.base,t,n))}
    </div>
    <pre class="json" tabindex="0">
${He(Pe(n),(e,t)=>g`<span class=${e}>${t}</span>`)}</pre>
  `}function ar(e,t){let{kind:n,label:r}=e;if(n===`id`)return v;if(n===`counts`&&T(t)){let{total:e,parts:n}=N(t);return g`<div class="tallies">
      <dt>${r}</dt>
      <dd>
        <ul>
          ${[...n,[dt,e]].map(([e,t])=>g`<li><span>${U(t)}</span> ${e}</li>`)}
        </ul>
      </dd>
    </div>`}let i=n===`time`&&typeof t==`string`?g`<code class="exact">${w(t)}</code>`:v;return g`<div>
    <dt>${r}</dt>
    <dd>${bn(e,t)} ${i}</dd>
  </div>`}function or(e,{collection:t,id:n,query:r=new URLSearchParams},i){let a=t.retrieval!==void 0,o=a?L(t,n):I(t,r);return{curl:()=>Dt(new URL(`.${o}`,e).href),"client code":()=>Ot(e,t,a?{id:n}:{query:r}),JSON:()=>Pe(i)}}const sr=matchMedia(`(width < 44rem), (width < 80rem) and (height < 30rem)`);function cr(e){let{session:t,route:n}=e,r=t===void 0||n?.id===void 0?v:nr(e,t,n),i=r!==v&&sr.matches;return g`
    <a class="skip" href="#content" @click=${lr}>Skip to content</a>
    ${dr(e,i)}
    <div class=${r===v?`desk`:`desk with-record`}>
      <main id="content" tabindex="-1" ?inert=${i}>
        ${e.finder===void 0?v:Hn(e.finder)} ${ur(e)}
      </main>
      ${r}
    </div>
    ${e.download===void 0?v:Bn(e.download,e.acts)} ${hr(e)}
    ${gr(e)}
  `}function lr(e){e.preventDefault(),document.getElementById(`content`)?.focus()}function ur(e){let{session:t,route:n}=e;return t===void 0?jn(e):n===void 0?mr(e):Gn(e,t,n)}function dr(e,t){let{contract:n,route:r,session:i,acts:a}=e,o=Ee()===`dark`;return g`<header class="top" ?inert=${t}>
    <a class="brand" href="#">${n.title} <span>console</span></a>
    <button class="tool menu" type="button" popovertarget="menu">Menu</button>
    <div id="menu" popover @click=${pr}>
      <nav class="tabs" aria-label="Collections">
        <ul>
          ${i===void 0?v:n.collections.map(e=>{let t=r?.collection===e,n=i?.seen.label(e.path)??``;return g`<li>
      <a
        href=${R({collection:e,query:new URLSearchParams,id:void 0})}
        aria-current=${t?`page`:v}
        >${e.title}${n===``?v:g` <span class="count" title=${fr(e,n)}>${n} seen</span>`}</a
      >
    </li>`})}
        </ul>
      </nav>
      <div class="tools">
        <a class="tool" href="docs">Reference</a>
        <button class="tool wide" type="button" @click=${a.help} aria-keyshortcuts="?">Keyboard shortcuts</button>
        <button class="tool" type="button" @click=${a.scheme}>${o?`Light`:`Dark`}</button>
        ${i===void 0?v:Pn(e)}
      </div>
    </div>
  </header>`}function fr({one:e,noun:t},n){let r=Number.parseInt(n,10),i=n.endsWith(`+`)?` The account has more.`:``;return`You have seen ${String(r)} ${r===1?e:t} in this session.${i}`}function pr({currentTarget:e,target:t}){!(e instanceof HTMLElement)||!(t instanceof Element)||t.closest(`a, button:not(.account)`)!==null&&e.matches(`:popover-open`)&&e.hidePopover()}function mr({hash:e,contract:t}){let[n]=t.collections;return g`<section class="problem" role="alert">
    <h1>Page not found</h1>
    <p>The API has no list or record at <code>${w(e.replace(/^#/,``))}</code>.</p>
    ${n===void 0?v:g`<p>
            <a href=${R({collection:n,query:new URLSearchParams,id:void 0})}>${n.title}</a>
          </p>`}
  </section>`}function hr({session:e,route:t,message:n}){let r=[...e?.waiting??[]];return g`
    <p class=${n===``?`unseen`:`toast`} role="status">
      ${n===``?tr(e,t):n}
    </p>
    <p class="unseen" aria-live="polite" data-news>${e?.news}</p>
    <p class="waiting" ?hidden=${r.length===0} aria-hidden="true">
      ${r.map(e=>g`<span>Loading ${w(e)}</span>`)}
    </p>
  `}const gr=({areKeysOn:e})=>g`<dialog id="keys" aria-labelledby="keys-title">
    <h2 id="keys-title">Keyboard shortcuts</h2>
    <dl>
      ${Vt.map(({keys:e,does:t})=>g`<div>
            <dt>${e.map(e=>g`<kbd>${e}</kbd> `)}</dt>
            <dd>${t}</dd>
          </div>`)}
    </dl>
    <p>
      <label
        ><input
          type="checkbox"
          .checked=${e}
          @change=${({target:e})=>{qt(e instanceof HTMLInputElement&&e.checked)}}
        />
        Enable keyboard shortcuts. Disable them if they interfere with speech input.</label
      >
    </p>
    <form method="dialog"><button class="primary">Close</button></form>
  </dialog>`,_r=(e,t)=>g`<main class="notice">
    <h1>Rollcall console</h1>
    ${e===void 0?g`<p role="status">Loading the API contract.</p>`:G(e,{again:t})}
  </main>`,vr=/^[!-~]+$/,yr=new URL(`.`,document.baseURI).href,br=pt(yr,C),xr=document.getElementById(`console`)??document.body;let K,q,Sr,J,Y=!1,Cr,X,wr=``;const Tr=Zt(),Z=()=>St(location.hash,K?.collections??[]),Er={go:e=>{location.hash=e},reload:()=>{let e=Z();e!==void 0&&q?.reload(e)},enter:(e,t)=>{let n=e.trim().replace(/^(authorization:\s*)?bearer(\s+|$)/i,``);if(!vr.test(n)){X=n===``?`Paste an API key.`:`This is not an API key. API keys contain no spaces, line breaks or non-ASCII characters.`,$();return}Or(n,t)},add:()=>{Y=!0,$(),document.getElementById(`key`)?.focus()},cancel:()=>{Y=!1,X=void 0,$()},switchTo:e=>{Or(e)},signOut:()=>{Je();let[e]=O();e===void 0?Q(void 0):Or(e.key)},signOutOfAll:()=>{Ye(),Q(void 0)},download:()=>{let e=Z();e!==void 0&&(J?.cancel(),J=new Pt(e,{send:br,sleep:ln,changed:$,save:(t,n)=>{Oe(t,n),J?.isCut===!1&&(J=void 0),Dr(`Downloaded ${String(n.length)} ${e.collection.noun}`)},unauthorized:Q}),J.run())},endDownload:()=>{J?.cancel(),J=void 0,$()},scheme:()=>{De(),$()},copy:(e,t)=>{ke(t).then(t=>{Dr(t?`Copied: ${e}`:`The browser blocked copying.`)})},show:()=>{q?.showNext(),scrollTo(0,0)},refresh:e=>{sn(e),$()},help:()=>{let e=document.getElementById(`keys`);e instanceof HTMLDialogElement&&e.showModal()},close:()=>{let e=Z();e?.id!==void 0&&Er.go(R({...e,id:void 0}))}};function Dr(e){wr=e,$(),setTimeout(()=>{wr===e&&(wr=``),$()},2e3)}function Or(e,t){let n=Z();q!==void 0&&e!==C()&&n!==void 0&&history.replaceState(null,``,R({...n,id:void 0,query:z(n.query,{})})),qe(e,t),X=void 0,Ar()}function kr(){q?.stop(),Sr?.clear(),J?.cancel(),q=Sr=J=void 0,Y=!1}function Ar(){kr(),q=new vn({send:br,pause:cn,changed:$,unauthorized:Q});let{collections:e=[]}=K??{};Sr=new zt({collections:e,send:br,changed:$,found:jr,unauthorized:Q}),Mr()}function jr(e,t){let n=document.getElementById(`find`);n instanceof HTMLInputElement&&(n.value=``);let r=Z();Er.go(R({collection:e,query:r?.collection===e?r.query:new URLSearchParams,id:t}))}function Q(e){kr(),Je(),X=e,$(),document.getElementById(`key`)?.focus()}function Mr(){let[e]=K?.collections??[];if(q!==void 0&&e!==void 0&&/^#?$/.test(location.hash)){location.replace(R({collection:e,query:new URLSearchParams,id:void 0}));return}let t=Z();t===void 0?q?.leave():q?.go(t),$()}function Nr(e){xr.querySelector(`main.notice:has(noscript)`)?.remove(),ge(e,xr)}function $(){if(K===void 0)return;let e=Z(),t=e?.id===void 0?e?.collection.title:`${j(e.collection.one)} ${On(e.id)}`;document.title=t===void 0?`${K.title} console`:`${t} · ${K.title} console`;let n={contract:K,route:e,hash:location.hash,download:J,isAdding:Y,rejection:X,message:wr,...Y?{session:void 0,finder:void 0}:{session:q,finder:Sr},accounts:O(),account:Ke(),areKeysOn:Kt(),isRefreshOn:on()};Tr(e,n.session!==void 0,()=>{Nr(cr({base:yr,acts:Er,...n}))}),Pr([q?.failures.page,q?.failures.record,J?.failure])}function Pr(e){clearTimeout(Cr),e.some(e=>e!==void 0&&e.secondsLeft>0)&&(Cr=setTimeout($,500))}addEventListener(`hashchange`,Mr),sr.addEventListener(`change`,$),addEventListener(`keydown`,e=>{let t=Jt(e);t===void 0||q===void 0||Y||Qt(t,Z(),Er)&&e.preventDefault()});async function Fr(){let e=()=>void Fr();Nr(_r(void 0,e));try{K=$e((await br(`/openapi.json`,{signal:new AbortController().signal}))?.body)}catch(t){Nr(_r(t instanceof P?t:new P(`Invalid contract`,t instanceof Error?t.message:String(t)),e));return}C()===``?$():Ar()}Fr();