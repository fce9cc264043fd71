const end = '</script>';
console.log(end);
