using BufferedMessages.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BufferedMessages.Generator.Parsing;

/// <summary>A parser that finds the kind of a member's or an element's type.</summary>
internal sealed class KindParser
{
    private const string UnknownContent = "its content is unknown; use a concrete type";

    private readonly Compilation _compilation;
    private readonly StructLayoutParser _structs;
    private readonly ConverterSet? _converters;

    /// <summary>Initializes a parser.</summary>
    /// <param name="compilation">The project.</param>
    /// <param name="member">The only member that is parsed, with converters of its own; null for all others.</param>
    /// <param name="source">The source whose members are parsed; null if no code is generated for the kinds.</param>
    public KindParser(Compilation compilation, ISymbol? member = null, INamedTypeSymbol? source = null)
    {
        _compilation = compilation;
        _structs = new StructLayoutParser(compilation);
        _converters = new ConverterSet(compilation, member, source, new KindParser(compilation, _structs).Parse);
    }

    private KindParser(Compilation compilation, StructLayoutParser structs)
    {
        _compilation = compilation;
        _structs = structs;
    }

    /// <summary>Gets the converters that apply to the types.</summary>
    public ConverterSet Converters => _converters!;

    /// <summary>Gets the same kind for values that can be null.</summary>
    public static MemberKind AsNullable(MemberKind kind) => kind switch
    {
        ValueKind value => new NullableKind(value),
        BinaryKind binary => binary.AsNullable(),
        MessageKind message => message with { Form = MessageForm.NullableValue },
        TupleKind tuple => tuple with { Form = MessageForm.NullableValue },
        ConvertedKind converted => converted with { Form = MessageForm.NullableValue, Wire = AsNullable(converted.Wire) },
        _ => kind,
    };

    /// <summary>Gets the kind of a type, or the reason why it has none.</summary>
    public KindResult Parse(ITypeSymbol type)
    {
        if (type.TypeKind == TypeKind.Error)
        {
            return KindResult.Silent;
        }

        if (_converters?.Find(type) is { } converted)
        {
            return converted;
        }

        // Some collections have a kind of their own if they are nullable.
        if (type is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T, TypeArguments: [var collection] }
            && CollectionTypes.Describe(collection) is not null
            && _converters?.Find(collection) is { } convertedCollection)
        {
            return convertedCollection.Then(AsNullable);
        }

        if (CollectionTypes.Describe(type) is var (shape, element))
        {
            return CollectionTypes.IsBinary(shape, element)
                ? new BinaryKind(shape, type.DeclaredName())
                : Parse(element).Then(kind => new ListKind(kind, shape, type.DeclaredName()));
        }

        if (DictionaryTypes.DescribeDictionary(type) is var (isCopied, key, entry))
        {
            return ParseKey(key, type).Then(keys => Parse(entry).Then(values => new DictionaryKind(keys, values, isCopied, type.DeclaredName())));
        }

        if (DictionaryTypes.DescribeSet(type) is var (isSetCopied, item))
        {
            return ParseKey(item, type).Then(items => new SetKind(items, isSetCopied, type.DeclaredName()));
        }

        if (type is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T, TypeArguments: [var value] })
        {
            return Parse(value).Then(AsNullable);
        }

        if (TupleTypes.Describe(type) is var (name, elements))
        {
            return ParseTuple(type, name, elements);
        }

        if (type.SpecialType == SpecialType.System_String)
        {
            return new StringKind();
        }

        if (ScalarTypes.KindOf(type) is { } scalar)
        {
            return scalar;
        }

        return type switch
        {
            INamedTypeSymbol message when SourceType.IsSource(message) => ParseMessage(message),
            INamedTypeSymbol union when UnionType.IsUnion(union) => ParseUnion(union),
            _ => ParseOther(type),
        };
    }

    // A key cannot be nullable, nor of a type with several bit patterns for equal values.
    private KindResult ParseKey(ITypeSymbol type, ITypeSymbol collection)
    {
        if (type.TypeKind == TypeKind.Error)
        {
            return KindResult.Silent;
        }

        if (_converters?.Find(type) is { } converted)
        {
            return converted.Then(kind => ConvertedKey((ConvertedKind)kind, type, collection));
        }

        if (type.SpecialType == SpecialType.System_String)
        {
            return new StringKind();
        }

        return ScalarTypes.KindOf(type) is { } scalar && ScalarTypes.IsKey(scalar)
            ? scalar
            : KindResult.UnsupportedKey(type.InMessage());
    }

    private KindResult ConvertedKey(ConvertedKind key, ITypeSymbol type, ITypeSymbol collection)
    {
        var stored = key.Wire is NullableKind nullable ? nullable.Value : key.Wire;
        if (stored is not StringKind && !(stored is ValueKind value && ScalarTypes.IsKey(value)))
        {
            return KindResult.UnsupportedKey(type.InMessage());
        }

        // A copy sorts the keys by their own order.
        return DictionaryTypes.IsSorted(collection) && !IsComparable(type)
            ? KindResult.Unsupported($"a copy could not sort it, since '{type.InMessage()}' has no order and a comparer is not stored; implement IComparable<T>, or use a collection that is not sorted")
            : key with { Wire = stored };
    }

    private bool IsComparable(ITypeSymbol type) =>
        type.AllInterfaces.Any(implemented =>
            implemented.Name is nameof(IComparable)
            && implemented.ContainingNamespace.IsNamed("System")
            && (implemented.TypeArguments is not [var other] || _compilation.ClassifyCommonConversion(type, other) is { IsIdentity: true } or { IsReference: true, IsImplicit: true }));

    private KindResult ParseTuple(ITypeSymbol type, string name, IReadOnlyList<(string Name, ITypeSymbol Type)> elements)
    {
        var items = new List<TupleItem>();
        foreach (var (itemName, itemType) in elements)
        {
            var item = Parse(itemType);
            if (item.Kind is null)
            {
                return item;
            }

            items.Add(new TupleItem(itemName, item.Kind));
        }

        var typeName = type.DeclaredName();
        return new TupleKind(
            name,
            typeName,
            string.Equals(name, TupleTypes.Tuple, StringComparison.Ordinal) ? "" : "new " + typeName,
            new EquatableArray<TupleItem>(items),
            MessageForm.Value);
    }

    private static KindResult ParseMessage(INamedTypeSymbol type)
    {
        if (GenericType.MemberProblem(type) is { } reason)
        {
            return KindResult.Unsupported(reason);
        }

        return SourceType.IsEmitted(type) ? SourceType.KindOf(type) : NotEmitted(type);
    }

    private static KindResult ParseUnion(INamedTypeSymbol type)
    {
        if (GenericType.MemberProblem(type) is { } reason)
        {
            return KindResult.Unsupported(reason);
        }

        return UnionType.IsEmitted(type)
            ? new UnionKind(SourceType.FullNameOf(type), type.GlobalName(), SourceType.BlockOf(type), SourceType.ViewOf(type).Type)
            : NotEmitted(type);
    }

    // For a type of this project, another rule reports the error.
    private static KindResult NotEmitted(INamedTypeSymbol type) =>
        type.DeclaringSyntaxReferences.IsEmpty
            ? KindResult.Unsupported("it has the attribute, but its assembly was built without message code for it; build it with the generator of this product")
            : KindResult.Silent;

    private KindResult ParseOther(ITypeSymbol type)
    {
        if (IsNativeSized(type))
        {
            return KindResult.Unstable("its size differs between processes; use a type of fixed size");
        }

        if (type is not INamedTypeSymbol named)
        {
            return KindResult.Unsupported(type is IArrayTypeSymbol
                ? "it is an array of several dimensions; use an array of arrays"
                : UnknownContent);
        }

        if (TupleTypes.Refusal(named) is { } refusal)
        {
            return KindResult.Unsupported(refusal);
        }

        if (named.ImplementsEnumerable())
        {
            return KindResult.Unsupported(
                "this collection type is not supported; use one of the collections that docs/supported-types.md lists, such as List<T>, HashSet<T> or Dictionary<TKey, TValue>");
        }

        if (StructLayoutParser.HasUnknownField(named))
        {
            return KindResult.Silent;
        }

        if (named.IsUnmanagedType && named.TypeKind == TypeKind.Struct)
        {
            return _structs.Parse(named);
        }

        return SourceType.CanBecomeSource(named, _compilation)
            ? KindResult.NotASource(named.Name)
            : KindResult.Unsupported(ReasonFor(named));
    }

    private static string ReasonFor(INamedTypeSymbol type) => type switch
    {
        { SpecialType: SpecialType.System_Object } => UnknownContent,
        { TypeKind: TypeKind.Delegate } => "code cannot be stored; use data",
        { IsAbstract: true, DeclaringSyntaxReferences.IsEmpty: false } =>
            "it does not determine the type to create when the message is read; use a concrete type, or make it a union with [BufferedMessageUnion]",
        { IsAbstract: true } => "it does not determine the type to create when the message is read; use a concrete type, or a converter",
        { IsGenericType: true, DeclaringSyntaxReferences.IsEmpty: false } => GenericType.MemberProblem(type)!,
        { IsGenericType: true } => "generic types are not supported; write a type for it, or a converter",
        _ => "it is neither a type that the wire format knows nor a message source; use one of these, or a converter",
    };

    private static bool IsNativeSized(ITypeSymbol type) =>
        type.TypeKind is TypeKind.Pointer or TypeKind.FunctionPointer
        || type.SpecialType is SpecialType.System_IntPtr or SpecialType.System_UIntPtr;
}
