using System.Globalization;

namespace BufferedMessages;

/// <summary>The parser of the kinds of a schema text; docs/format/schema.md has the grammar.</summary>
internal ref struct SchemaKindParser
{
    // No schema has deeper ones; reading them would overflow the stack.
    private const int MaxNesting = 64;
    private const string StructName = "struct";
    private const int GuidAlignment = 8;
    private const int GuidAlignmentInStruct = 4;

    private readonly SchemaLine _line;
    private readonly ReadOnlySpan<char> _text;
    private int _at;
    private int _nesting;

    private SchemaKindParser(SchemaLine line, ReadOnlySpan<char> text)
    {
        _line = line;
        _text = text;
    }

    /// <summary>Reads one kind.</summary>
    /// <param name="line">The line of the kind.</param>
    /// <param name="text">The kind.</param>
    /// <exception cref="FormatException">The text is not a kind.</exception>
    public static SchemaKind Parse(SchemaLine line, ReadOnlySpan<char> text)
    {
        var parser = new SchemaKindParser(line, text);
        var kind = parser.Kind();
        return parser._at == text.Length ? kind : throw parser.Wrong();
    }

    private SchemaKind Kind()
    {
        var name = Name();
        switch (name)
        {
            case "string":
                return new SchemaString();
            case "binary":
                return new SchemaBinary();
            case "message":
                Expect('(');
                return new SchemaMessage(Until(')'));
            case "union":
                Expect('(');
                return new SchemaUnion(Until(')'));
            case "list":
                Expect('(');
                var element = Inner();
                Expect(')');
                return new SchemaList(element);
            case "set":
                Expect('(');
                var setElement = Key();
                Expect(')');
                return new SchemaSet(setElement);
            case "dictionary":
                Expect('(');
                var key = Key();
                Expect(',');
                var value = Inner();
                Expect(')');
                return new SchemaDictionary(key, value);
            default:
                SchemaValue fixedSize = string.Equals(name, StructName, StringComparison.Ordinal) ? Struct() : Scalar(name, GuidAlignment);
                return Skip('?') ? new SchemaNullable(fixedSize) : fixedSize;
        }
    }

    private SchemaKind Inner()
    {
        var kind = ++_nesting <= MaxNesting ? Kind() : throw Wrong();
        _nesting--;
        return kind;
    }

    private SchemaKind Key()
    {
        var name = Name();
        if (string.Equals(name, "string", StringComparison.Ordinal))
        {
            return new SchemaString();
        }

        var key = Scalar(name, GuidAlignment);
        return key.Name is "f16" or "f32" or "f64" or "decimal" or "datetime" or "datetimeoffset" or "timeonly" ? throw Wrong() : key;
    }

    private SchemaStruct Struct()
    {
        Expect('(');
        var size = Number();
        int? packed = Skip('/') ? Number() : null;
        var fields = new List<SchemaField>();
        Expect(';');
        if (!Skip(')'))
        {
            do
            {
                fields.Add(Field());
            }
            while (Skip(','));
            Expect(')');
        }

        var alignment = packed ?? fields.Select(static field => field.Kind.Alignment).DefaultIfEmpty(1).Max();
        var isStruct = alignment is 1 or 2 or 4 or 8 && size > 0 && fields.TrueForAll(field => field.End <= size);
        return isStruct ? new SchemaStruct(size, alignment, fields) : throw Wrong();
    }

    private SchemaField Field()
    {
        var offset = Number();
        Expect(':');
        var name = Name();
        if (!string.Equals(name, StructName, StringComparison.Ordinal))
        {
            return new SchemaField(offset, Element(name), Skip('[') ? Length() : null);
        }

        var element = ++_nesting <= MaxNesting ? Struct() : throw Wrong();
        _nesting--;
        Expect('[');
        return new SchemaField(offset, element, Length());
    }

    // A field of a struct is read unchecked, so its kind is one for which every bit pattern is a value. A bool of another byte is taken as it is.
    private SchemaScalar Element(string name)
    {
        var element = Scalar(name, GuidAlignmentInStruct);
        return element.Name is "decimal" or "datetime" or "datetimeoffset" or "dateonly" or "timeonly" ? throw Wrong() : element;
    }

    private int Length()
    {
        var length = Number();
        Expect(']');
        return length;
    }

    private SchemaScalar Scalar(string name, int guidAlignment)
    {
        if (string.Equals(name, "enum", StringComparison.Ordinal))
        {
            Expect('(');
            var underlying = Integer(Name()) ?? throw Wrong();
            Expect(')');
            return underlying;
        }

        return Integer(name) ?? name switch
        {
            "bool" => new SchemaScalar(name, 1, 1),
            "char" or "f16" => new SchemaScalar(name, 2, 2),
            "f32" or "dateonly" => new SchemaScalar(name, 4, 4),
            "f64" or "datetime" or "timespan" or "timeonly" => new SchemaScalar(name, 8, 8),
            "decimal" or "datetimeoffset" => new SchemaScalar(name, 16, 8),
            "guid" => new SchemaScalar(name, 16, guidAlignment),
            _ => throw Wrong(),
        };
    }

    private static SchemaScalar? Integer(string name) => name switch
    {
        "u8" or "i8" => new SchemaScalar(name, 1, 1),
        "u16" or "i16" => new SchemaScalar(name, 2, 2),
        "u32" or "i32" => new SchemaScalar(name, 4, 4),
        "u64" or "i64" => new SchemaScalar(name, 8, 8),
        "u128" or "i128" => new SchemaScalar(name, 16, 8),
        _ => null,
    };

    private string Name()
    {
        var start = _at;
        while (_at < _text.Length && char.IsAsciiLetterOrDigit(_text[_at]))
        {
            _at++;
        }

        return _text[start.._at].ToString();
    }

    private string Until(char end)
    {
        var length = _text[_at..].IndexOf(end);
        if (length <= 0)
        {
            throw Wrong();
        }

        var text = _text.Slice(_at, length).ToString();
        _at += length + 1;
        return text;
    }

    private int Number()
    {
        var start = _at;
        while (_at < _text.Length && char.IsAsciiDigit(_text[_at]))
        {
            _at++;
        }

        return ushort.TryParse(_text[start.._at], NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : throw Wrong();
    }

    private bool Skip(char expected)
    {
        if (_at >= _text.Length || _text[_at] != expected)
        {
            return false;
        }

        _at++;
        return true;
    }

    private void Expect(char expected)
    {
        if (!Skip(expected))
        {
            throw Wrong();
        }
    }

    private readonly FormatException Wrong() =>
        _line.Wrong(string.Create(CultureInfo.InvariantCulture, $"its kind is unknown from character {_at} of it on; if a newer program wrote it, update the BufferedMessages package"));
}
