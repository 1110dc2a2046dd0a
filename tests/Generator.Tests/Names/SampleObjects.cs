using System.Collections;
using System.Collections.Immutable;
using System.Runtime.InteropServices;

namespace BufferedMessages.Generator.Tests.Names;

/// <summary>Creates objects of types that are unknown when the test is compiled, with a value in every member that can be set.</summary>
internal static class SampleObjects
{
    private const int MaxDepth = 3;
    private const string Text = "a text of more than seven bytes";

    /// <summary>An object of a source.</summary>
    public static object Of(Type source) => Make(source, 0)!;

    private static object? Make(Type type, int depth)
    {
        if (type == typeof(string))
        {
            return Text;
        }

        if (type.IsPrimitive || type == typeof(decimal))
        {
            return Convert.ChangeType(1, type, provider: null);
        }

        if (Nullable.GetUnderlyingType(type) is { } value)
        {
            return Make(value, depth);
        }

        if (type.IsArray)
        {
            var array = Array.CreateInstance(type.GetElementType()!, 1);
            array.SetValue(Make(type.GetElementType()!, depth), 0);
            return array;
        }

        return depth == MaxDepth && !type.IsValueType ? null
            : IsArrayInAStruct(type) ? InAStruct(type, Make(type.GetGenericArguments()[0].MakeArrayType(), depth)!)
            : typeof(IEnumerable).IsAssignableFrom(type) ? Collection(type, depth)
            : type.IsAbstract ? Make(type.Assembly.GetTypes().First(other => type.IsAssignableFrom(other) && !other.IsAbstract), depth)
            : Object(type, depth + 1);
    }

    private static bool IsArrayInAStruct(Type type) =>
        type.IsGenericType && type.GetGenericTypeDefinition() is var generic
        && (generic == typeof(ArraySegment<>) || generic == typeof(ImmutableArray<>) || generic == typeof(Memory<>) || generic == typeof(ReadOnlyMemory<>));

    private static object InAStruct(Type type, object array) => type.GetConstructor([array.GetType()]) is { } constructor
        ? constructor.Invoke([array])
        : typeof(ImmutableCollectionsMarshal).GetMethod(nameof(ImmutableCollectionsMarshal.AsImmutableArray))!.MakeGenericMethod(type.GetGenericArguments()).Invoke(null, [array])!;

    private static object Collection(Type type, int depth)
    {
        var collection = Activator.CreateInstance(type)!;
        var elements = type.GetGenericArguments().Select(element => Make(element, depth)).ToArray();
        if (!elements.Contains(null))
        {
            (type.GetMethod("Add", type.GetGenericArguments()) ?? type.GetMethod("Enqueue"))!.Invoke(collection, elements);
        }

        return collection;
    }

    private static object Object(Type type, int depth)
    {
        var constructor = type.GetConstructors().OrderByDescending(static constructor => constructor.GetParameters().Length)
            .FirstOrDefault(constructor => constructor.GetParameters() is not [{ ParameterType: var only }] || only != type);
        var made = constructor is null
            ? Activator.CreateInstance(type)!
            : constructor.Invoke([.. constructor.GetParameters().Select(parameter => Make(parameter.ParameterType, depth))]);
        foreach (var property in type.GetProperties().Where(static property => property is { CanWrite: true, CanRead: true } && property.GetIndexParameters().Length == 0))
        {
            property.SetValue(made, Make(property.PropertyType, depth));
        }

        foreach (var field in type.GetFields().Where(static field => field is { IsInitOnly: false, IsStatic: false }))
        {
            field.SetValue(made, Make(field.FieldType, depth));
        }

        return made;
    }
}
