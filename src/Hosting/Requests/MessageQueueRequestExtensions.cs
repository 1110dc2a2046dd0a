using BufferedMessages;
using BufferedMessages.Hosting;
using BufferedMessages.Queues;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>The registration of clients of requests.</summary>
public static class MessageQueueRequestExtensions
{
    extension(MessageQueueBuilder queue)
    {
        /// <summary>
        /// Adds a client of requests: <see cref="RequestClient{TRequest, TReplyView}"/> as a keyed singleton by the name of the queue, and as a singleton without a key, if it is the only one of its type. It is opened
        /// when the host starts, or when it is first requested, and closed with the services. Its options are the named options of the queue's name.
        /// </summary>
        /// <typeparam name="TRequest">The type of the requests, with <see cref="BufferedMessageSourceAttribute"/>.</typeparam>
        /// <typeparam name="TReplyView">The type to read the replies as: a generated view, <see cref="RawMessage"/> or <see cref="ValueMessage{T}"/>.</typeparam>
        /// <param name="responder">The name of the responder, in any process. The client watches the processes that have opened this name.</param>
        /// <param name="configure">Changes its options.</param>
        /// <exception cref="ArgumentException">The name is not valid for a consumer.</exception>
        /// <exception cref="InvalidOperationException">The queue already has a client.</exception>
        public MessageQueueBuilder AddRequestClient<TRequest, TReplyView>(string responder, Action<RequestClientOptions>? configure = null)
            where TRequest : IBufferedMessageSource<TRequest>
            where TReplyView : IQueuePayload<TReplyView>, allows ref struct
        {
            ArgumentNullException.ThrowIfNull(queue);
            CursorNames.RequireName(responder);
            var (services, name) = (queue.Services, queue.Name);
            if (queue.Registered<RequestClientRegistration>().Any(added => added.Queue == name))
            {
                throw new InvalidOperationException($"The queue '{name}' already has a request client. One client serves all threads; other requests need a queue of their own.");
            }

            var options = services.AddOptions<RequestClientOptions>(name);
            if (configure is not null)
            {
                options.Configure(configure);
            }

            options.ValidateOnStart();
            services.TryAddEnumerable(ServiceDescriptor.Singleton<IValidateOptions<RequestClientOptions>, RequestClientOptionsValidation>());
            services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, HostedRequestClients>());
            services.AddSingleton(new RequestClientRegistration(
                name, typeof(RequestClient<TRequest, TReplyView>), provider => provider.GetRequiredKeyedService<RequestClient<TRequest, TReplyView>>(name)));
            services.AddKeyedSingleton(name, (provider, _) => Open<TRequest, TReplyView>(provider, name, responder));
            services.TryAddSingleton(Single<TRequest, TReplyView>);
            return queue;
        }
    }

    private static RequestClient<TRequest, TReplyView> Open<TRequest, TReplyView>(IServiceProvider services, string name, string responder)
        where TRequest : IBufferedMessageSource<TRequest>
        where TReplyView : IQueuePayload<TReplyView>, allows ref struct
    {
        var queue = services.GetRequiredKeyedService<MessageQueue>(name);
        return new RequestClient<TRequest, TReplyView>(
            new RequestClientIdentity(
                name,
                Path.GetFileName(queue.Path),
                responder,
                services.GetRequiredService<IOptionsMonitor<RequestClientOptions>>().Get(name),
                ServiceQueue.LoggerOf(services)),
            queue);
    }

    private static RequestClient<TRequest, TReplyView> Single<TRequest, TReplyView>(IServiceProvider services)
        where TRequest : IBufferedMessageSource<TRequest>
        where TReplyView : IQueuePayload<TReplyView>, allows ref struct
    {
        var names = services.GetServices<RequestClientRegistration>().Where(static added => added.ClientType == typeof(RequestClient<TRequest, TReplyView>)).Select(static added => added.Queue).ToList();
        return names.Count == 1
            ? services.GetRequiredKeyedService<RequestClient<TRequest, TReplyView>>(names[0])
            : throw new InvalidOperationException(
                $"Several queues have clients of {typeof(TRequest)}: {string.Join(", ", names)}. Request one by its queue: [FromKeyedServices(\"{names[0]}\")].");
    }
}
