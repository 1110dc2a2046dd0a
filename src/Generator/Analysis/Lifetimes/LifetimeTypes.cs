using BufferedMessages.Generator.Parsing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace BufferedMessages.Generator.Analysis;

/// <summary>The types of a compilation that the lifetime rules track, and the effects of their members on lifetimes.</summary>
internal sealed class LifetimeTypes
{
    private const string ProductNamespace = "BufferedMessages";

    private static readonly (string Name, LifetimeRole Role)[] Names =
    [
        ("BufferedMessages.Delivery`1", LifetimeRole.Delivery),
        ("BufferedMessages.DeliveryLoop`1", LifetimeRole.Loop),
        ("BufferedMessages.MessageClaim", LifetimeRole.Holder),
        ("BufferedMessages.MessageClaim`1", LifetimeRole.Holder),
        ("BufferedMessages.MessageBatch", LifetimeRole.Holder),
        ("BufferedMessages.MessageBuilder`1", LifetimeRole.Holder),
        ("BufferedMessages.PooledBufferedMessage`1", LifetimeRole.Holder),
        ("BufferedMessages.StreamMessage`1", LifetimeRole.Part),
        ("BufferedMessages.PooledStream", LifetimeRole.Stream),
        ("BufferedMessages.PooledSequence", LifetimeRole.Memory),
        ("BufferedMessages.MessageConsumer`1", LifetimeRole.Consumer),
        ("BufferedMessages.MessageReader`1", LifetimeRole.Consumer),
        ("BufferedMessages.MessageQueue", LifetimeRole.Queue),
        ("BufferedMessages.Caching.CacheLease", LifetimeRole.Holder),
        ("BufferedMessages.Caching.CacheLease`1", LifetimeRole.Holder),
        ("BufferedMessages.Caching.CacheEntry`1", LifetimeRole.Part),
        ("BufferedMessages.Caching.CacheEnumerator`1", LifetimeRole.Enumeration),
        ("BufferedMessages.Hosting.MessageContext", LifetimeRole.Part),
        ("System.Memory`1", LifetimeRole.View),
        ("System.ReadOnlyMemory`1", LifetimeRole.View),
        ("System.ArraySegment`1", LifetimeRole.View),
        ("System.Buffers.ReadOnlySequence`1", LifetimeRole.View),
    ];

    // Types of the framework that wrap the delivery, owner or loop that is their type argument.
    private static readonly string[] WrapperNames =
    [
        "System.Nullable`1",
        "System.Threading.Tasks.Task`1",
        "System.Threading.Tasks.ValueTask`1",
        "System.Runtime.CompilerServices.TaskAwaiter`1",
        "System.Runtime.CompilerServices.ValueTaskAwaiter`1",
        "System.Runtime.CompilerServices.ConfiguredTaskAwaitable`1",
        "System.Runtime.CompilerServices.ConfiguredValueTaskAwaitable`1",
    ];

    private static readonly string[] LoopNames =
    [
        "System.Collections.Generic.IAsyncEnumerable`1",
        "System.Collections.Generic.IAsyncEnumerator`1",
        "System.Runtime.CompilerServices.ConfiguredCancelableAsyncEnumerable`1",
        "System.Runtime.CompilerServices.ConfiguredCancelableAsyncEnumerable`1+Enumerator",
    ];

    // Checked first, because comparing a name is faster than finding a type.
    private static readonly HashSet<string> ClosingNames = new(StringComparer.Ordinal)
    {
        "Abandon", "Add", "Advance", "Close", "Commit", "CommitThrough", "DetachMemory", "DetachMessage", "DetachSequence", "Dispose", "DisposeAsync", "Finish", "MoveNext",
        "MoveNextAsync", "Publish", "ReadAsync", "Return", "SetLength", "TryAdd", "TryClaim", "TryRead", "WaitToReadAsync", "Write", "WriteAsync", "WriteByte", "WriteTo", "WriteToAsync",
    };

    private readonly Dictionary<ISymbol, LifetimeRole> _roles = new(SymbolEqualityComparer.Default);
    private readonly HashSet<ISymbol> _wrappers;
    private readonly HashSet<ISymbol> _loops;
    private readonly INamedTypeSymbol? _memoryOwner;
    private readonly INamedTypeSymbol? _arrayPool;

    private LifetimeTypes(Compilation compilation)
    {
        foreach (var (name, role) in Names)
        {
            if (compilation.GetTypeByMetadataName(name) is { } type)
            {
                _roles.Add(type, role);
            }
        }

        _wrappers = Find(compilation, WrapperNames);
        _loops = Find(compilation, LoopNames);
        _memoryOwner = compilation.GetTypeByMetadataName("System.Buffers.IMemoryOwner`1");
        _arrayPool = compilation.GetTypeByMetadataName("System.Buffers.ArrayPool`1");
    }

    /// <summary>Gets the types of a compilation; null if it does not use this product.</summary>
    public static LifetimeTypes? Of(Compilation compilation) =>
        compilation.GetTypeByMetadataName("BufferedMessages.BufferedMessage") is null ? null : new LifetimeTypes(compilation);

    /// <summary>Gets the names that the members of the compilation assign.</summary>
    public AssignedNames Assigned { get; } = new();

    /// <summary>Gets the role of the values of a type.</summary>
    public LifetimeRole RoleOf(ITypeSymbol? type)
    {
        switch (type)
        {
            case IArrayTypeSymbol:
                return LifetimeRole.Memory;
            case ITypeParameterSymbol parameter:
                return parameter.AllowsRefLikeType ? LifetimeRole.View : LifetimeRole.None;
            case INamedTypeSymbol named when _roles.TryGetValue(named.OriginalDefinition, out var role):
                return role;
            case INamedTypeSymbol { IsRefLikeType: true }:
                return LifetimeRole.View;
            case INamedTypeSymbol { SpecialType: SpecialType.None or SpecialType.System_Nullable_T } named:
                return RoleOfWrapper(named) is not LifetimeRole.None and var wrapped ? wrapped : IsMemoryOwner(named) ? LifetimeRole.Memory : LifetimeRole.None;
            default:
                return LifetimeRole.None;
        }
    }

    /// <summary>Determines whether a type is a claim, of a message or of a batch: room in a queue that a producer holds.</summary>
    public static bool IsClaim(ITypeSymbol? type) => type is INamedTypeSymbol { Name: "MessageClaim" or "MessageBatch" } && IsProduct(type);

    /// <summary>Determines whether a type is a delivery: a message in a queue that a consumer holds.</summary>
    public bool IsDelivery(ITypeSymbol? type) => RoleOf(type) == LifetimeRole.Delivery && !IsWrapper(type);

    /// <summary>Determines whether a type is a loop over deliveries that holds its thread.</summary>
    public bool IsDeliveryLoop(ITypeSymbol? type) => RoleOf(type) == LifetimeRole.Loop && type!.IsRefLikeType;

    /// <summary>Determines whether a type of the framework wraps the delivery or owner that is its type argument.</summary>
    public bool IsWrapper(ITypeSymbol? type) => type is INamedTypeSymbol named && (_wrappers.Contains(named.OriginalDefinition) || _loops.Contains(named.OriginalDefinition));

    /// <summary>Determines whether a view of this type is a part of a message, or writes one.</summary>
    public bool IsMessage(ITypeSymbol? type) => RoleOf(type) == LifetimeRole.View && type switch
    {
        INamedTypeSymbol named => IsProduct(named) || named.AllInterfaces.Any(IsProduct),
        ITypeParameterSymbol parameter => parameter.ConstraintTypes.Any(IsProduct),
        _ => false,
    };

    /// <summary>Determines whether the compiler limits a member's result to the scope of the variable that it is used on.</summary>
    public bool IsScoped(ISymbol member) =>
        (IsUnscoped(member) || (member is IPropertySymbol { GetMethod: { } getter } && IsUnscoped(getter)))
        && (_roles.ContainsKey(member.ContainingType.OriginalDefinition) || HasHolder(member.ContainingType));

    /// <summary>Determines whether a symbol is declared by this product.</summary>
    public static bool IsProduct(ISymbol symbol) =>
        symbol.ContainingNamespace is { } space && (space.IsNamed(ProductNamespace) || space.IsNamed(ProductNamespace + ".Caching"));

    /// <summary>Gets the effect of a call on its receiver, by the receiver's role.</summary>
    public static LifetimeEffect EffectOf(LifetimeRole role, string method) => (role, method) switch
    {
        (LifetimeRole.Delivery, "Commit" or "Abandon" or "Dispose") => LifetimeEffect.Close,
        (LifetimeRole.Holder, "Commit" or "Publish" or "Finish" or "Dispose") => LifetimeEffect.Close,
        (LifetimeRole.Holder, "Add" or "TryAdd" or "TryClaim") => LifetimeEffect.Advance,
        (LifetimeRole.Consumer, "TryRead" or "ReadAsync" or "WaitToReadAsync") => LifetimeEffect.Advance,
        (LifetimeRole.Consumer, "CommitThrough") => LifetimeEffect.CommitThrough,
        (LifetimeRole.Consumer or LifetimeRole.Queue or LifetimeRole.Memory or LifetimeRole.Enumeration, "Dispose") => LifetimeEffect.Close,
        (LifetimeRole.Enumeration, "MoveNext") => LifetimeEffect.Advance,
        (LifetimeRole.Loop, "MoveNext" or "MoveNextAsync" or "Dispose" or "DisposeAsync") => LifetimeEffect.Advance,
        (LifetimeRole.Stream, "Dispose" or "DisposeAsync" or "Close") => LifetimeEffect.Close,
        (LifetimeRole.Stream, "Write" or "WriteAsync" or "WriteByte" or "SetLength" or "Advance") => LifetimeEffect.Advance,
        (LifetimeRole.Stream, "DetachMemory" or "DetachMessage" or "DetachSequence") => LifetimeEffect.Advance,
        _ => LifetimeEffect.None,
    };

    /// <summary>Gets the argument that a static or extension method closes or changes, and the effect: an array that is returned to its pool, or a stream that is written to.</summary>
    public (IArgumentOperation? Argument, LifetimeEffect Effect) EffectOnArgument(IInvocationOperation call)
    {
        var method = call.TargetMethod;
        if (method.Name == "Return" && SymbolEqualityComparer.Default.Equals(method.ContainingType.OriginalDefinition, _arrayPool))
        {
            return (ArgumentOf(call, 0), LifetimeEffect.Close);
        }

        // The product's own extension methods write to the stream that is their second argument.
        return method is { IsExtensionMethod: true, Name: "WriteTo" or "WriteToAsync" } && IsProduct(method.ContainingType) ? (ArgumentOf(call, 1), LifetimeEffect.Advance) : default;
    }

    /// <summary>Determines quickly whether an operation may close or advance something. This runs for all operations of a program.</summary>
    public bool MayEnd(IOperation operation) => operation switch
    {
        IInvocationOperation call => ClosingNames.Contains(call.TargetMethod.Name)
            && (EffectOf(RoleOf((call.Instance as IConversionOperation)?.Operand.Type ?? call.Instance?.Type), call.TargetMethod.Name) != LifetimeEffect.None || EffectOnArgument(call).Effect != LifetimeEffect.None),
        IUsingOperation statement => statement.Locals.Any(IsClosable) || IsClosable(statement.Resources.Type),
        IUsingDeclarationOperation declaration => declaration.DeclarationGroup.GetDeclaredVariables().Any(IsClosable),
        IForEachLoopOperation { Collection: var collection } => EndsItsElements((collection as IConversionOperation)?.Operand.Type ?? collection.Type),
        _ => false,
    };

    private static bool IsUnscoped(ISymbol member) => member.GetAttributes().Any(static attribute => attribute.AttributeClass is { Name: "UnscopedRefAttribute" });

    private static IArgumentOperation? ArgumentOf(IInvocationOperation call, int ordinal) => call.Arguments.FirstOrDefault(argument => argument.Parameter?.Ordinal == ordinal);

    private static HashSet<ISymbol> Find(Compilation compilation, string[] names) =>
        new(names.Select(compilation.GetTypeByMetadataName).OfType<ISymbol>(), SymbolEqualityComparer.Default);

    // A struct that wraps a delivery, an owner or the like. A member of its own may return the view.
    private bool HasHolder(INamedTypeSymbol type) =>
        type.GetMembers().Any(member => member is IFieldSymbol { IsStatic: false } field && RoleOf(field.Type) is LifetimeRole.Delivery or LifetimeRole.Holder or LifetimeRole.Part);

    private bool EndsItsElements(ITypeSymbol? collection) =>
        RoleOf(collection) == LifetimeRole.Loop || (collection is INamedTypeSymbol { Name: "MessageCache" } && IsProduct(collection));

    private bool IsClosable(ILocalSymbol local) => IsClosable(local.Type);

    private bool IsClosable(ITypeSymbol? type) => RoleOf(type) is not (LifetimeRole.None or LifetimeRole.View);

    private LifetimeRole RoleOfWrapper(INamedTypeSymbol type)
    {
        var isLoop = _loops.Contains(type.OriginalDefinition);
        if (!isLoop && !_wrappers.Contains(type.OriginalDefinition))
        {
            return LifetimeRole.None;
        }

        var argument = type.TypeArguments.Concat(type.ContainingType?.TypeArguments ?? []).FirstOrDefault();
        var role = argument is INamedTypeSymbol named && _roles.TryGetValue(named.OriginalDefinition, out var known) ? known : LifetimeRole.None;
        return (isLoop, role) switch
        {
            (true, LifetimeRole.Delivery) => LifetimeRole.Loop,
            (false, LifetimeRole.Delivery or LifetimeRole.Holder or LifetimeRole.Part) => role,
            _ => LifetimeRole.None,
        };
    }

    private bool IsMemoryOwner(INamedTypeSymbol type) =>
        _memoryOwner is not null
        && (SymbolEqualityComparer.Default.Equals(type.OriginalDefinition, _memoryOwner)
            || type.AllInterfaces.Any(implemented => SymbolEqualityComparer.Default.Equals(implemented.OriginalDefinition, _memoryOwner)));
}
